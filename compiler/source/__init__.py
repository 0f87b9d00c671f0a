"""From files to values with their places: YAML, manifests, typed reading."""
