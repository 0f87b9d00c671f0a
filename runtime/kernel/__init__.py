"""What runs on every decision: state, nodes, operations, events. Nothing here knows JSON, files or languages."""
