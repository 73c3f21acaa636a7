"""Which metrics, their averages, and their values when undefined."""
