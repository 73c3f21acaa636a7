"""Which metric, averaged how, and what where it is undefined."""
