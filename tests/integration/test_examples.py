"""The example that needs other libraries runs, and prints what the gallery says."""

import warnings

from tests.docs.test_gallery import check_output


def test_the_network_is_scored_in_a_readable_table(tmp_path):
    # Keras warns of its own doings; those of ours are errors in the other tests.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lines = check_output("neural_network", tmp_path)
    accuracy = next(line for line in lines if line.strip().startswith("accuracy")).split()[1:]
    assert len(accuracy) == 3
    assert min(map(float, accuracy)) > 0.9
