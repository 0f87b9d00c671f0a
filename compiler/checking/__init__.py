"""The checks of whole packages: flow, and looking only at what changed."""
