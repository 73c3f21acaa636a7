"""What docs/who_gives_what.md says about TorchMetrics is so."""

import json

from tests.vectors.score import RESULTS_JSON, score, version_of


def test_stored_results_are_those_of_torchmetrics():
    stored = json.loads(RESULTS_JSON.read_text(encoding="utf-8"))["torchmetrics"]
    assert version_of("torchmetrics") == stored["version"], (
        "python -m tests.vectors.score torchmetrics --write"
    )
    assert score("torchmetrics") == stored["metrics"]
