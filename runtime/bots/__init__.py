"""Players that are programs, and bulk play with them."""
