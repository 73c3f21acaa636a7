"""Tables of many metrics, and the evaluation index."""
