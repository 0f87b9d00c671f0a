"""From the bytes of an artefact to a checked package; what callers give, checked at the edge."""
