"""Content from strangers, played in processes with limits of memory and time."""

from grimoire.runtime.worker.pool import Job, Limits, WorkerPool, WorkerReport, play_limited

__all__ = ["Job", "Limits", "WorkerPool", "WorkerReport", "play_limited"]
