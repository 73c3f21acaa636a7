"""How sure a value is: intervals of metrics on counts."""
