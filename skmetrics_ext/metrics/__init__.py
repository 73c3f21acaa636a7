"""The public metric functions, one file per family."""

from skmetrics_ext.metrics import by_name as by_name
