"""Tables of many metrics, what each of them means, and the evaluation index."""
