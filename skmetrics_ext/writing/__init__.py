"""Values -> a data frame, a text table, HTML."""
