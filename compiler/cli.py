"""The command `grimoire`: reads the command line and hands over to the modules in command/.

In: arguments. Out: an exit code: 0 fine, 1 findings (diagnostics, failing scenarios, errors in games), 2 wrong use,
70 a fault of our own, 130 stopped by hand. What a user can get wrong ends with a message that says what was expected;
what we got wrong says so.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final

from grimoire.compiler.command.common import FINDINGS, OUR_FAULT, STOPPED, WRONG_USE, is_not_found, report_text
from grimoire.compiler.diagnostics.report import CompileFailed
from grimoire.compiler.telling import Finding, WrongUse, make_printable, say

if TYPE_CHECKING:
    import argparse

FRAMES_TOLD: Final = 12  # of the innermost calls, when something of our own fails


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    from grimoire.compiler.command.line import build_parser

    return build_parser()


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    try:
        _prepare_streams()
        if argv is None and sys.argv[1:2] == ["check"]:
            gc.disable()  # what a check makes is not garbage before its end, and that is the end of the process
        return _run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        say("\nstopped")
        return STOPPED
    except BrokenPipeError:
        # Whoever read our output has left: nothing more to say, not even when Python closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINDINGS
    finally:
        if argv is None:
            gc.freeze()  # the process ends: nobody needs to look for garbage once more


def _prepare_streams() -> None:
    """What cannot be shown is escaped. Windows would else give a pipe or a file its own encoding and line ends."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
            if sys.platform == "win32":
                stream.reconfigure(encoding="utf-8", newline="\n")
    if sys.platform == "win32" and hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(encoding="utf-8")


def _wrong_uses() -> tuple[type[Exception], ...]:
    return (WrongUse, *_of_runtime("SetupError"))


def _findings() -> tuple[type[Exception], ...]:
    return (Finding, *_of_runtime("GrimoireError"))


def _of_runtime(name: str) -> tuple[type[Exception], ...]:
    """An exception of the runtime, if that is loaded at all; looked up only once something went wrong."""
    runtime = sys.modules.get("grimoire.runtime")
    return () if runtime is None else (getattr(runtime, name),)


def _plain_check(argv: Sequence[str]) -> SimpleNamespace | None:
    """`check PATH ..` without any option needs no parser: to make one takes longer than to check what is known."""
    if len(argv) < 2 or argv[0] != "check" or any(word.startswith("-") for word in argv):
        return None
    run = "command.content:check_command"
    return SimpleNamespace(command="check", run=run, paths=list(argv[1:]), json=False, format="text")


def _run(argv: Sequence[str]) -> int:
    try:
        args: SimpleNamespace | argparse.Namespace | None = _plain_check(argv)
        if args is None:
            parser = build_parser()
            args = parser.parse_args(argv)
        if args.command is None:
            parser.print_help(sys.stderr)
            return WRONG_USE
        module, function = args.run.split(":")
        # a command loads what it needs and no more: a check that finds its answer in the cache needs next to nothing
        code: int = getattr(import_module(f"grimoire.compiler.{module}"), function)(args)
        sys.stdout.flush()
        return code
    except SystemExit as done:  # --help and --version
        return done.code if isinstance(done.code, int) else WRONG_USE
    except _wrong_uses() as wrong:
        say(f"grimoire: {wrong}")
        return WRONG_USE
    except CompileFailed as failed:
        if is_not_found(failed):
            first = failed.diagnostics[0]
            say(f"grimoire: {first.message}" + (f"; {first.hint}" if first.hint else ""))
            return WRONG_USE
        report_text(failed.diagnostics, sys.stderr)
        return FINDINGS
    except _of_runtime("EngineFault") as fault:
        return _tell_our_fault(f"{fault}", fault.__cause__ or fault)
    except _findings() as found:
        say(f"grimoire: {found}")
        return FINDINGS
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        say(f"grimoire: {make_printable(str(error.filename or ''), 300)}: {error.strerror or error}")
        return FINDINGS
    except Exception as error:  # nobody raised it on purpose
        what = f"{type(error).__name__}: {make_printable(str(error), 300)}"
        text = f"{what}. This is a fault of Grimoire, not of your files: please report it"
        return _tell_our_fault(text, error)


def _tell_our_fault(text: str, error: BaseException) -> int:
    """Say that the fault is ours, with the way to it in our own code: that is what a report needs."""
    import traceback

    say(f"grimoire: {text}")
    for frame in traceback.extract_tb(error.__traceback__)[-FRAMES_TOLD:]:
        say(f"  {'/'.join(frame.filename.split(os.sep)[-3:])}:{frame.lineno} in {frame.name}")
    return OUR_FAULT


if __name__ == "__main__":
    sys.exit(main())
