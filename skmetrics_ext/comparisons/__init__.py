"""Whether one model is better than another."""
