"""The plot_* functions; the only place that imports matplotlib."""
