"""The grammar of the effect language and the schemas of the file formats, as package data."""
