"""The pages are followed as a reader follows them; every link leads somewhere; the site is built without a warning."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from .page import ROOT, Reader

# Each page, and whether its reader has the games of content/.
PAGES = {
    "docs/tutorial.md": False,
    "docs/tutorial-expansion.md": True,
    "docs/how-to/books.md": True,
    "docs/how-to/extend.md": True,
    "docs/how-to/idioms.md": False,
    "docs/how-to/python.md": True,
    "docs/how-to/translate.md": True,
    "docs/how-to/localise.md": True,
    "docs/how-to/words.md": False,
    "docs/reference/command.md": True,
    "README.md": True,
}

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", PAGES)
def test_page(name: str, folder: Path) -> None:
    if PAGES[name]:
        shutil.copytree(ROOT / "content", folder / "content")
    Reader((ROOT / name).read_text(encoding="utf-8")).follow()


README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("line", re.findall(r"^\| .* \| `(grimoire .*)` \|$", README, re.MULTILINE))
def test_command_of_the_readme(line: str, folder: Path) -> None:
    """Every command in the table of the README runs, in a process of its own."""
    shutil.copytree(ROOT / "content", folder / "content")
    words = shlex.split(re.sub(r"--games \d+", "--games 100", line))[1:]
    command = [sys.executable, "-m", "grimoire.compiler.cli", *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "tests").glob("**/README.md"))]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links(page: Path) -> None:
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    wrong = []
    for target in _LINK.findall(text):
        file, _, anchor = target.partition("#")
        if "://" in target:
            continue
        to = (page.parent / file).resolve() if file else page
        if not to.exists() or (anchor and anchor not in anchors(to)):
            wrong.append(target)
    assert wrong == []


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    named = re.findall(r'<a id="([^"]+)"></a>', page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", head.lower()).strip().replace(" ", "-") for head in heads} | set(named)


def nav(node: object) -> list[str]:
    if isinstance(node, str):
        return [node]
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return [name for child in children for name in nav(child)]


def test_the_menu_has_every_page() -> None:
    menu = nav(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    there = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert len(menu) == len(set(menu))
    assert set(menu) == there


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stderr}"
