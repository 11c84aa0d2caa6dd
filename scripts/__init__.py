"""Makes files that the package ships."""
