"""Tables of any engine -> groups with their counts, by one pass where the data are; knows no metric."""
