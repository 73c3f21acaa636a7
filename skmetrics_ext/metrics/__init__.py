"""The public metric functions, one file per family."""

# All of them, so that `from_labels.function_of` knows each.
from skmetrics_ext.metrics import accuracy as accuracy
from skmetrics_ext.metrics import agreement as agreement
from skmetrics_ext.metrics import overlap as overlap
from skmetrics_ext.metrics import rates as rates
from skmetrics_ext.metrics import ratios as ratios
from skmetrics_ext.metrics import several_values as several_values
from skmetrics_ext.metrics import skill as skill
