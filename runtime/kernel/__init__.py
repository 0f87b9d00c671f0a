"""What runs on every decision: state, nodes, operations, events. Nothing here knows JSON, files or languages."""

from types import FunctionType

from grimoire.runtime.kernel.base import Expr


def kernel_form() -> str:
    """Which kernel runs: ``compiled`` (extension modules built by mypyc) or ``pure`` (the same modules in Python)."""
    return "pure" if isinstance(vars(Expr)["test"], FunctionType) else "compiled"
