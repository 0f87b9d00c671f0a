"""Read package.yaml files, find packages, and put them into the order in which they are built.

In: paths or ids as given on the command line. Out: `Manifest` values, each after those that it needs, and diagnostics
(G02xx; G03xx for shape). What stands in the other files of a package is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from grimoire.compiler.diagnostics.report import Diagnostics, Related, Span, did_you_mean
from grimoire.compiler.records import field, record, replace
from grimoire.compiler.source import shapes
from grimoire.compiler.source import tree as source
from grimoire.compiler.source.reader import DISK, SourceReader

MANIFEST: Final = "package.yaml"
CONTENT: Final = "content"
MAX_PLAYERS: Final = 64  # what the runtime plays
FIRST_LANGUAGE: Final = 1  # of packages that do not say in which version of the language they are written
LANGUAGE: Final = 2  # the version of the language that this tool teaches

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?\Z")
_PLAYERS = re.compile(r"([0-9]{1,4})(?:\s*(?:-|–|to)\s*([0-9]{1,4}))?\Z")
_NUMBER = r"(?:0|[1-9][0-9]{0,8})"
_VERSION = re.compile(rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})\Z")
_BOUND = re.compile(rf"(>=|<=|>|<|==|=|!=)?\s*({_NUMBER})(?:\.({_NUMBER}))?(?:\.({_NUMBER}))?\Z")


# --- versions ---------------------------------------------------------------------------------------------------------


class Version(NamedTuple):
    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


def parse_version(text: str) -> Version | None:
    """'1.2.3' -> Version, or None."""
    found = _VERSION.match(text)
    return None if found is None else Version(int(found[1]), int(found[2]), int(found[3]))


@record(frozen=True)
class VersionRange:
    """Bounds that a version has to meet, all of them; `text` is how the author wrote it."""

    text: str
    bounds: tuple[tuple[str, Version], ...] = ()

    def allows(self, version: Version) -> bool:
        return all(_meets(version, sign, bound) for sign, bound in self.bounds)

    @property
    def is_empty(self) -> bool:
        """True when no version at all meets the bounds."""
        # Every bound is a whole version, so if any version is allowed, one that is or directly follows a bound is.
        candidates = [Version(0, 0, 0)]
        for _, bound in self.bounds:
            candidates += (bound, bound._replace(patch=bound.patch + 1))
        spread = len(self.bounds) + 1
        # Versions ruled out one by one (!=) may follow each other: look that many steps on.
        return not any(
            self.allows(candidate._replace(patch=candidate.patch + step))
            for candidate in candidates
            for step in range(spread)
        )

    def __str__(self) -> str:
        return self.text


def _meets(version: Version, sign: str, bound: Version) -> bool:
    match sign:
        case ">=":
            return version >= bound
        case ">":
            return version > bound
        case "<=":
            return version <= bound
        case "<":
            return version < bound
        case "!=":
            return version != bound
        case _:
            return version == bound


def parse_range(text: str) -> VersionRange | None:
    """'>=1.2, <2' -> VersionRange, or None. Missing numbers are 0; an exact version needs all three; '*' is any."""
    if text.strip() == "*":
        return VersionRange(text)
    bounds: list[tuple[str, Version]] = []
    for part in text.split(","):
        found = _BOUND.match(part.strip())
        if found is None or len(bounds) >= 20:
            return None
        sign = found[1] or "="
        if sign in ("=", "==", "!=") and found[4] is None:
            return None
        version = Version(int(found[2]), int(found[3] or 0), int(found[4] or 0))
        bounds.append(("=" if sign == "==" else sign, version))
    return VersionRange(text, tuple(bounds))


def tool_version() -> Version:
    """The version of the installed Grimoire."""
    from importlib import metadata  # takes longer to load than a package that is known takes to check

    try:
        text = metadata.version("grimoire-compiler")
    except metadata.PackageNotFoundError:
        return Version(0, 0, 0)
    found = re.match(r"(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?", text)
    return Version(0, 0, 0) if found is None else Version(*(int(part or 0) for part in found.groups()))


# --- one manifest -----------------------------------------------------------------------------------------------------


@record(frozen=True)
class Need:
    """Another package that is needed, and which versions of it fit."""

    package: str
    range: VersionRange
    span: Span


@record(frozen=True)
class Manifest:
    """What a package says about itself. `spans` has the place of the value of every key that is there.

    Keys whose value could not be used are in `broken`; their fields then hold a stand-in (the name of the folder,
    version 0.0.0, nothing), so that the other files can still be checked.
    """

    root: Path
    file: str
    id: str
    version: Version
    languages: tuple[str, ...]
    title: str | None = None
    needs: tuple[Need, ...] = ()
    extends: tuple[str, ...] = ()
    players: tuple[int, int] | None = None
    grimoire: VersionRange | None = None
    licence: str | None = None
    language: int = FIRST_LANGUAGE  # the version of the language that its texts are written in
    spans: Mapping[str, Span] = field(default_factory=dict, repr=False)
    broken: frozenset[str] = frozenset()

    def span(self, key: str) -> Span:
        """The place of a key's value, or of the file as a whole."""
        return self.spans.get(key, Span.point(self.file))


KEYS: Final = (
    "package", "version", "language", "title", "needs", "extends", "languages", "players", "grimoire", "licence",
)  # fmt: skip
REQUIRED: Final = ("package", "version", "languages")


def load_manifest(
    root: Path,
    diags: Diagnostics,
    *,
    name: str | None = None,
    tool: Version | None = None,
    reader: SourceReader = DISK,
) -> Manifest | None:
    """Read `root`/package.yaml; None when there is no mapping to read. `name` is what reports call the file."""
    path = root / MANIFEST
    file = path.as_posix() if name is None else name
    if not reader.has_file(path):
        wrong = next((other for other in ("package.yml", "Package.yaml") if (root / other).is_file()), None)
        hint = f"rename {wrong} to {MANIFEST}" if wrong else f"add {MANIFEST} with: {', '.join(REQUIRED)}"
        diags.add("G0201", Span.point(file), f"the folder '{root.name}' has no {MANIFEST}", hint)
        return None
    node = reader.load_file(path, diags, name=file)
    if node is None:
        return None
    return read_manifest(node, root, diags, tool=tool)


def read_manifest(node: source.Node, root: Path, diags: Diagnostics, *, tool: Version | None = None) -> Manifest | None:
    """The tree of a package.yaml -> Manifest."""
    mapping = shapes.as_mapping(node, diags, MANIFEST)
    if mapping is None:
        return None
    mapping = shapes.check_keys(mapping, KEYS, diags, MANIFEST, required=REQUIRED)
    return _ManifestReader(mapping, root, diags).read(tool)


class _ManifestReader:
    def __init__(self, mapping: source.Mapping, root: Path, diags: Diagnostics) -> None:
        self.root = root
        self.diags = diags
        self.file = mapping.source.path
        self.values = {key.value: node for key, node in mapping.entries if key.value in KEYS}
        self.broken = {key for key in REQUIRED if key not in self.values}

    def read(self, tool: Version | None) -> Manifest:
        id = self.package_id()
        version = self.version()
        needs = self.needs(id)
        manifest = Manifest(
            root=self.root,
            file=self.file,
            id=id,
            version=version,
            languages=self.languages(),
            title=self.text("title", "the title"),
            needs=needs,
            extends=self.extends(needs),
            players=self.players(),
            grimoire=self.grimoire(tool),
            licence=self.text("licence", "the licence"),
            language=self.language(),
            spans={key: node.span for key, node in self.values.items()},
        )
        # What is broken is known only now that everything was read.
        return replace(manifest, broken=frozenset(self.broken))

    def text(self, key: str, what: str) -> str | None:
        node = self.values.get(key)
        if node is None:
            return None
        text = shapes.as_text(node, self.diags, what)
        if text is None:
            self.broken.add(key)
        return text

    def fail(self, key: str, code: str, span: Span, message: str, hint: str | None = None) -> None:
        self.broken.add(key)
        self.diags.add(code, span, message, hint)

    def package_id(self) -> str:
        folder = self.root.name or self.root.resolve().name
        text = self.text("package", "the package id")
        if text is None:
            return folder
        span = self.values["package"].span
        if not is_package_id(text):
            guess = suggest_id(text)
            hint = f"write {guess}" if guess else "use lower-case letters, digits and hyphens, like sample-one"
            self.fail("package", "G0204", span, f"'{_short(text)}' is not a package id", hint)
            return folder
        if text != folder:
            message = f"the package is called '{text}', but its folder '{folder}'"
            self.diags.add("G0205", span, message, f"rename the folder to {text}, or write package: {folder}")
        return text

    def version(self) -> Version:
        text = self.text("version", "the version")
        if text is None:
            return Version(0, 0, 0)
        version = parse_version(text)
        if version is None:
            loose = re.match(rf"v?({_NUMBER})(?:\.({_NUMBER}))?(?:\.({_NUMBER}))?", text)
            guess = ".".join(part or "0" for part in loose.groups()) if loose else "1.0.0"
            span = self.values["version"].span
            self.fail("version", "G0206", span, f"'{_short(text)}' is not a version", f"write {guess}")
            return Version(0, 0, 0)
        return version

    def language(self) -> int:
        """The version of the language; a package that cannot say it is read as one of today."""
        if "language" not in self.values:
            if self.broken:
                return LANGUAGE  # what was meant to stand there is told already
            message = f"the package is written in version {FIRST_LANGUAGE} of the language; {LANGUAGE} is the newest"
            hint = f"it is read as it was meant; grimoire fmt --upgrade rewrites it to language: {LANGUAGE}"
            self.diags.add("G0220", Span.point(self.file), message, hint)
            return FIRST_LANGUAGE
        text = self.text("language", "the version of the language")
        if text is None:
            return LANGUAGE
        span = self.values["language"].span
        found = int(text) if re.fullmatch(_NUMBER, text) else 0
        if FIRST_LANGUAGE <= found < LANGUAGE:
            message = f"the package is written in version {found} of the language; {LANGUAGE} is the newest"
            hint = f"it is read as it was meant; grimoire fmt --upgrade rewrites it to language: {LANGUAGE}"
            self.diags.add("G0220", span, message, hint)
        elif found != LANGUAGE:
            if found > LANGUAGE:
                message = f"this tool knows the language up to version {LANGUAGE}, not {found}"
                hint = f"install a newer Grimoire, or write language: {LANGUAGE}"
            elif _LANGUAGE.match(text):
                message = f"'{text}' is not a version of the effect language"
                hint = f"write language: {LANGUAGE}; the languages of the texts stand below languages: [{text}]"
            else:
                message = f"'{_short(text)}' is not a version of the effect language"
                hint = f"write language: {LANGUAGE}"
            self.fail("language", "G0221", span, message, hint)
            return LANGUAGE
        return found

    def range(self, key: str, node: source.Node, what: str) -> VersionRange | None:
        text = shapes.as_text(node, self.diags, what)
        if text is None:
            self.broken.add(key)
            return None
        span = node.span
        found = parse_range(text)
        if found is None:
            self.fail(key, "G0207", span, f"{what}: '{_short(text)}' is not a version range", _range_hint(text))
        elif found.is_empty:
            self.fail(key, "G0208", span, f"{what}: no version can meet '{_short(text)}'", "exchange or drop a bound")
            return None
        return found

    def needs(self, id: str) -> tuple[Need, ...]:
        node = self.values.get("needs")
        if node is None:
            return ()
        mapping = shapes.as_mapping(node, self.diags, "needs")
        if mapping is None:
            self.broken.add("needs")
            return ()
        needs: list[Need] = []
        for key, value in mapping.entries:
            if not is_package_id(key.value):
                guess = suggest_id(key.value)
                hint = f"write {guess}" if guess else None
                self.fail("needs", "G0204", key.span, f"'{_short(key.value)}' is not a package id", hint)
                continue
            if key.value == id and "package" not in self.broken:
                self.fail("needs", "G0215", key.span, f"the package needs itself: {id} -> {id}", "delete this line")
                continue
            found = self.range("needs", value, f"the versions of '{key.value}'")
            needs.append(Need(key.value, found or VersionRange("*"), key.span))
        return tuple(needs)

    def extends(self, needs: Sequence[Need]) -> tuple[str, ...]:
        known = [need.package for need in needs]
        entries = self.entries("extends", "extends")
        for entry in entries:
            if entry.value not in known and "needs" not in self.broken:
                guess = did_you_mean(entry.value, known)
                hint = f"write {guess}" if guess else f'add to needs:  {_short(entry.value)}: ">=1.0"'
                suffix = f" (did you mean '{guess}'?)" if guess else ""
                message = f"'{_short(entry.value)}' is extended, but does not stand under needs{suffix}"
                self.fail("extends", "G0211", entry.span, message, hint)
        return tuple(entry.value for entry in entries if entry.value in known)

    def languages(self) -> tuple[str, ...]:
        entries = self.entries("languages", "languages")
        if not entries and "languages" in self.values and "languages" not in self.broken:
            span = self.values["languages"].span
            self.fail("languages", "G0209", span, "a package needs at least one language", "write [en]")
        good: list[str] = []
        for entry in entries:
            if _LANGUAGE.match(entry.value):
                good.append(entry.value)
                continue
            hint = "write the code of the language, like en, uk, ru, pt-BR"
            self.fail("languages", "G0209", entry.span, f"'{_short(entry.value)}' is not a language code", hint)
        return tuple(good)

    def entries(self, key: str, what: str) -> list[source.Scalar]:
        """Entries of a list of texts without repetitions."""
        node = self.values.get(key)
        if node is None:
            return []
        entries = shapes.as_text_set(node, self.diags, what)
        items = node.items if isinstance(node, source.Sequence) else ()
        if entries is None or not all(isinstance(item, source.Scalar) and not item.is_missing for item in items):
            self.broken.add(key)
        return entries or []

    def players(self) -> tuple[int, int] | None:
        text = self.text("players", "the number of players")
        if text is None:
            return None
        span = self.values["players"].span
        found = _PLAYERS.match(text.strip())
        if found is None:
            message = f"'{_short(text)}' is not a number of players"
            self.fail("players", "G0210", span, message, "write 2, or 2-4, or 2 to 4")
            return None
        low = int(found[1])
        high = int(found[2]) if found[2] else low
        if not 1 <= low <= high <= MAX_PLAYERS:
            reason = "the lowest number stands first" if low > high else f"from 1 to {MAX_PLAYERS} are possible"
            hint = f"write {high}-{low}" if low > high else None
            self.fail("players", "G0210", span, f"'{_short(text)}' is not a number of players: {reason}", hint)
            return None
        return low, high

    def grimoire(self, given: Version | None) -> VersionRange | None:
        node = self.values.get("grimoire")
        found = None if node is None else self.range("grimoire", node, "the versions of Grimoire")
        if node is None or found is None:
            return found
        tool = tool_version() if given is None else given
        if not found.allows(tool):
            message = f"the package is made for Grimoire {found}, but this is {tool}"
            self.diags.add("G0216", node.span, message, "install a fitting version, or change the range")
        return found


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _range_hint(text: str) -> str:
    loose = re.match(rf"\s*[\^~=v]*\s*({_NUMBER})((?:\.{_NUMBER})*)", text)
    if loose is None:
        return 'write for instance ">=1.2, <2"'
    return f'write ">={loose[1]}{loose[2]}, <{int(loose[1]) + 1}"'


def is_package_id(text: str) -> bool:
    return len(text) <= 64 and _ID.match(text) is not None


def suggest_id(text: str) -> str | None:
    """The package id that a text was probably meant to be."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", text).lower())
    guess = "-".join(words)
    return guess if is_package_id(guess) else None


# --- finding packages -------------------------------------------------------------------------------------------------


def find_packages(paths: Iterable[str | Path], diags: Diagnostics, *, cwd: Path | None = None) -> list[Path]:
    """The package folders that are meant, each once, in the order given.

    A path may be a package folder, a folder of packages, any file or folder inside a package, or the id of a package in
    content/ under the current folder.
    """
    base = Path.cwd() if cwd is None else cwd
    found: dict[Path, Path] = {}
    for path in paths:
        for root in _find_one(str(path), base, diags):
            found.setdefault(root.resolve(), root)
    return list(found.values())


def _find_one(given: str, base: Path, diags: Diagnostics) -> list[Path]:
    path = base / given if base != Path.cwd() else Path(given)
    try:
        if path.is_dir():
            if _is_package(path):
                return [path]
            inside = _packages_in(path, diags)
            if inside:
                return inside
        if path.exists():
            root = _enclosing_package(path)
            if root is not None:
                return [root]
        elif is_package_id(given):
            home = base / CONTENT if base != Path.cwd() else Path(CONTENT)
            if _is_package(home / given):
                return [home / given]
    except (OSError, ValueError):
        pass  # a name that no file can have, or a folder that cannot be read: it is not found
    _report_not_found(given, path, base, diags)
    return []


def _is_package(folder: Path) -> bool:
    return (folder / MANIFEST).is_file()


def _packages_in(folder: Path, diags: Diagnostics) -> list[Path]:
    children = sorted(child for child in folder.iterdir() if child.is_dir() and not child.name.startswith("."))
    links = [child for child in children if child.is_symlink()]
    children = [child for child in children if child not in links]
    packages = [child for child in children if _is_package(child)]
    for child in links:
        if _is_package(child):  # what else a link leads to is nobody's business here, and may be the whole disk
            message = f"the link '{child.name}' leads to a package; links to folders are not followed"
            diags.add("G0104", Span.point(child.as_posix()), message, "name the package itself, or delete the link")
    for child in children if packages else []:
        if child not in packages and source.list_files(child):
            hint = f"add {MANIFEST}, or move the files into a package"
            message = f"the folder '{child.name}' has YAML files, but no {MANIFEST}: nothing reads it"
            diags.add("G0203", Span.point(child.as_posix()), message, hint)
    return packages


def _enclosing_package(path: Path) -> Path | None:
    # Parents of a relative path end at '.', so look at the absolute one, but keep to what was given where possible.
    for folder in (path, *path.parents):
        if folder.is_dir() and _is_package(folder):
            return folder
    return next((folder for folder in path.absolute().parents if _is_package(folder)), None)


def _report_not_found(given: str, path: Path, base: Path, diags: Diagnostics) -> None:
    span = Span.point(source.printable_name(given) or ".")
    name = _short(source.printable_name(given))
    known: list[str] = []
    try:
        if path.is_dir():
            wrong = "package.yml" if (path / "package.yml").is_file() else None
            hint = f"rename {wrong} to {MANIFEST}" if wrong else f"add {MANIFEST}, or name another folder"
            diags.add("G0201", span, f"the folder '{name}' has no {MANIFEST} and no packages in it", hint)
            return
        if path.exists():
            hint = f"content files lie in a folder with a {MANIFEST}, or in folders below it"
            diags.add("G0202", span, f"the file '{name}' does not belong to a package", hint)
            return
        content = base / CONTENT
        if content.is_dir():
            known = sorted(child.name for child in content.iterdir() if _is_package(child))
    except (OSError, ValueError):
        pass
    guess = did_you_mean(given, known)
    suffix = f" (did you mean '{guess}'?)" if guess else ""
    listing = f"packages in {CONTENT}/: {', '.join(known[:20])}" if known else None
    repair = f"write {guess}" if guess else listing
    diags.add("G0202", span, f"there is no package '{name}'{suffix}", repair)


def load_packages(roots: Iterable[Path], diags: Diagnostics, *, tool: Version | None = None) -> list[Manifest]:
    """Manifests of these packages and of all that they need, looked for beside them and in content/."""
    waiting = list(roots)
    seen: set[Path] = set()
    loaded: list[Manifest] = []
    ids: set[str] = set()
    while waiting:
        batch: list[Manifest] = []
        for root in waiting:
            real = root.resolve()
            if real in seen:
                continue
            seen.add(real)
            manifest = load_manifest(root, diags, tool=tool)
            if manifest is not None:
                batch.append(manifest)
                ids.add(manifest.id)
        loaded += batch
        # Only after the whole batch: what is given goes before what lies beside.
        waiting = []
        for manifest in batch:
            for need in manifest.needs:
                if need.package in ids:
                    continue
                beside = manifest.root.parent if manifest.root.name else manifest.root.absolute().parent
                places = (beside / need.package, Path(CONTENT) / need.package)
                waiting += [place for place in places if _is_package(place)][:1]
    return loaded


# --- the order of packages --------------------------------------------------------------------------------------------


def resolve_dependencies(manifests: Iterable[Manifest], diags: Diagnostics) -> list[Manifest]:
    """Packages in the order in which they are built: each after all that it needs, otherwise by id.

    What cannot be built (a needed package is missing, has the wrong version, or there is a circle) is reported and left
    out, and so is, without a report of its own, whatever needs it.
    """
    by_id = _unique(manifests, diags)
    failed: set[str] = set()
    edges: dict[str, list[Need]] = {}
    for id in sorted(by_id):
        edges[id] = []
        for need in by_id[id].needs:
            if _check_need(by_id[id], need, by_id, diags):
                edges[id].append(need)
            else:
                failed.add(id)
    order, cycles = _sort(edges)
    for cycle in cycles:
        _report_cycle(cycle, by_id, edges, diags)
        failed.update(cycle)
    result: list[Manifest] = []
    for id in order:
        if any(need.package in failed for need in edges[id]):
            failed.add(id)
        if id not in failed:
            result.append(by_id[id])
    return result


def _unique(manifests: Iterable[Manifest], diags: Diagnostics) -> dict[str, Manifest]:
    by_id: dict[str, Manifest] = {}
    for manifest in sorted(manifests, key=lambda item: (item.id, item.file)):
        first = by_id.setdefault(manifest.id, manifest)
        if first is not manifest:
            message = f"two packages are called '{manifest.id}'"
            related = [Related(first.span("package"), "the other one is this")]
            diags.add("G0212", manifest.span("package"), message, "give one of them another id", related)
    return by_id


def _beside(manifest: Manifest) -> list[str]:
    """The folders beside a package that hold packages."""
    root = manifest.root if manifest.root.name else manifest.root.absolute()
    try:
        return sorted(place.name for place in root.parent.iterdir() if _is_package(place))
    except OSError:
        return []


def _check_need(manifest: Manifest, need: Need, by_id: Mapping[str, Manifest], diags: Diagnostics) -> bool:
    other = by_id.get(need.package)
    if other is None:
        guess = did_you_mean(need.package, [id for id in (*by_id, *_beside(manifest)) if id != manifest.id])
        suffix = f" (did you mean '{guess}'?)" if guess else ""
        hint = f"write {guess}" if guess else "put the package beside this one"
        message = f"'{manifest.id}' needs the package '{need.package}', which is not there{suffix}"
        diags.add("G0213", need.span, message, hint)
        return False
    if "version" not in other.broken and not need.range.allows(other.version):
        message = f"'{manifest.id}' needs '{need.package}' {need.range}, but its version is {other.version}"
        related = [Related(other.span("version"), "the version is given here")]
        diags.add("G0214", need.span, message, "get a fitting version, or change the range", related)
        return False
    return True


def _sort(edges: Mapping[str, Sequence[Need]]) -> tuple[list[str], list[list[str]]]:
    """Ids in order, needed ones first, and every circle met on the way, each starting with its first id."""
    order: list[str] = []
    cycles: list[list[str]] = []
    done: set[str] = set()
    for start in edges:
        if start in done:
            continue
        # A stack of our own: a chain of packages may be longer than Python's.
        path: list[str] = [start]
        on_path: dict[str, int] = {start: 0}
        rest = [_targets(edges[start])]
        while path:
            if rest[-1]:
                target = rest[-1].pop()
                if target in on_path:
                    cycles.append(_rotate(path[on_path[target] :]))
                elif target not in done:
                    on_path[target] = len(path)
                    path.append(target)
                    rest.append(_targets(edges[target]))
                continue
            rest.pop()
            id = path.pop()
            del on_path[id]
            done.add(id)
            order.append(id)
    unique = {tuple(cycle): cycle for cycle in cycles}
    return order, [unique[key] for key in sorted(unique)]


def _targets(needs: Sequence[Need]) -> list[str]:
    return sorted({need.package for need in needs}, reverse=True)


def _rotate(cycle: list[str]) -> list[str]:
    first = cycle.index(min(cycle))
    return cycle[first:] + cycle[:first]


def _report_cycle(
    cycle: Sequence[str], by_id: Mapping[str, Manifest], edges: Mapping[str, Sequence[Need]], diags: Diagnostics
) -> None:
    steps: list[Related] = []
    for id, target in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
        need = next(item for item in edges[id] if item.package == target)
        steps.append(Related(need.span, f"'{id}' needs '{target}'"))
    names = [*cycle, cycle[0]] if len(cycle) <= 10 else [*cycle[:5], "...", *cycle[-3:], cycle[0]]
    message = f"packages need each other in a circle: {' -> '.join(names)}"
    hint = "move what they share into a package that needs none of them"
    diags.add("G0215", steps[0].span, message, hint, steps[1:20])
