"""What answers this? From a query to passages."""
