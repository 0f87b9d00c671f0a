"""What is wrong in the authors' files: the codes, their explanations, and the report."""
