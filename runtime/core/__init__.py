"""The core between compiler and runtime: every expression, selector and statement declared once, and what follows from that."""
