"""What users pass -> codes, label orders, weights and names: the only reader of any container."""
