"""The public metric functions, one file per family."""

# All of them, so that `from_labels.function_of` knows each.
from skmetrics_ext.metrics import accuracy as accuracy
from skmetrics_ext.metrics import agreement as agreement
from skmetrics_ext.metrics import balance as balance
from skmetrics_ext.metrics import confusion_matrices as confusion_matrices
from skmetrics_ext.metrics import cost as cost
from skmetrics_ext.metrics import information as information
from skmetrics_ext.metrics import likelihood_ratios as likelihood_ratios
from skmetrics_ext.metrics import odds as odds
from skmetrics_ext.metrics import overlap as overlap
from skmetrics_ext.metrics import rates_of_actual as rates_of_actual
from skmetrics_ext.metrics import rates_of_all as rates_of_all
from skmetrics_ext.metrics import rates_of_predicted as rates_of_predicted
from skmetrics_ext.metrics import rates_with_support as rates_with_support
from skmetrics_ext.metrics import skill as skill
from skmetrics_ext.metrics import verification as verification
