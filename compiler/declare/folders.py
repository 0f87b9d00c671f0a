"""Declare all files of content of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.declare.sections import Declarer
from grimoire.compiler.diagnostics.report import Diagnostics
from grimoire.compiler.source.manifest import MANIFEST
from grimoire.compiler.source.reader import DISK, SourceReader
from grimoire.compiler.source.shapes import wrong_shape
from grimoire.compiler.source.tree import Mapping

BESIDE: Final = ("text/", "scenarios/", "l10n/")  # folders of what is no content


def declare_folder(
    root: Path, model: PackageModel, package: str, diags: Diagnostics, reader: SourceReader = DISK
) -> None:
    declarer = Declarer(model, package, diags)
    for name in reader.list_files(root, diags):
        if name == MANIFEST or name.startswith(BESIDE):
            continue
        tree = reader.load_file(root / name, diags, name=(root / name).as_posix())
        if isinstance(tree, Mapping):
            declarer.read(tree)
        elif tree is not None:
            wrong_shape(tree, diags, "a file of a package", "a mapping of sections", "kinds: .., cards: .., verbs: ..")
    declarer.finish()
