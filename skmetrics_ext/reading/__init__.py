"""User input -> codes, label order, weights and names: the only code that reads containers."""
