"""The packages of content/, small and large: what is done to each decision of hundreds of games is done to the small ones.

A large one (more than a hundred clauses) is looked at in the same ways, but at fewer places; `make soak` takes it in full.
"""

from __future__ import annotations

import re
from pathlib import Path

CONTENT = Path(__file__).parents[1] / "content"
MANY_CLAUSES = 100
_CLAUSE = re.compile(r"^      \w+: (?:rule|definition|\{kind: )", re.MULTILINE)


def clauses(root: Path) -> int:
    return sum(len(_CLAUSE.findall(path.read_text(encoding="utf-8"))) for path in root.glob("rules/*.yaml"))


FOLDERS = sorted(path.parent for path in CONTENT.glob("*/package.yaml"))
LARGE = [root.name for root in FOLDERS if clauses(root) > MANY_CLAUSES]
SMALL = [root.name for root in FOLDERS if root.name not in LARGE]
