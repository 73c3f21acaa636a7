"""How sure a value is: a file a statistical method, by the name that statisticians give it."""
