"""Write the present output of the commands into the pages: python -m tests.docs."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from .page import ROOT, Reader, inside
from .test_pages import PAGES

for name, with_games in PAGES.items():
    page = ROOT / name
    with tempfile.TemporaryDirectory() as folder:
        if with_games:
            shutil.copytree(ROOT / "content", Path(folder) / "content")
        reader = Reader(page.read_text(encoding="utf-8"), update=True)
        with inside(Path(folder)):
            reader.follow()
    if reader.updated != reader.text:
        page.write_text(reader.updated, encoding="utf-8")
        print(f"{name}: written")
    for line in reader.left:
        print(f"{name}: {line}")
