"""The audit of a printed edition: its text read, laid beside the clauses, compared."""
