"""Write what the compiler says now into the cases that fail: python -m tests.diagnostics [FILE ..]

Look at the difference before you commit it: an expectation is a promise to the author of a game.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from .kit import CASES, check_with, extra_name, make_case, read_cases, write_wanted


def update(path: Path) -> None:
    head = path.read_text(encoding="utf-8").split("=== ", 1)[0]
    out = [head]
    with tempfile.TemporaryDirectory() as folder:
        for case in read_cases(path):
            found = check_with(case.text, Path(folder), extra_name(case.text))
            if case.wanted and case.complaint(found) is None:
                out.append(f"=== {case.title}\n" + "\n".join(case.lines).rstrip("\n") + "\n\n")
                continue
            lines = case.text.rstrip("\n").split("\n")
            for item in case.worth_saying(found):
                if not item.span.file.endswith(f"/{extra_name(case.text)}"):
                    print(f"{path.name}: {case.title}: {item.code} stands in {item.span.file}", file=sys.stderr)
                    continue
                at = min(item.span.line, len(lines)) - 1
                lines[at] += "  " + write_wanted(item, make_case("", [lines[at]]).text.rstrip("\n"))
            out.append(f"=== {case.title}\n" + "\n".join(lines) + "\n\n")
    path.write_text("".join(out).rstrip("\n") + "\n", encoding="utf-8")


os.environ["GRIMOIRE_CACHE"] = "off"
for name in sys.argv[1:] or sorted(str(path) for path in CASES.glob("*.yaml")):
    update(Path(name))
