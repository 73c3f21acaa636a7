"""The plot_* functions; the only place that knows matplotlib."""
