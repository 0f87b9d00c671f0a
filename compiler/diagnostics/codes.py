"""Registry of the stable diagnostic codes: what each one means, an example that fails, and how to repair it.

In: nothing. Out: `CODES`, one `Code` for each code that any pass may emit. Wording of a single message belongs to the
pass; what the code means belongs here, because `explain` and the error index in the docs are made from it.

Groups: G01xx files and YAML, G02xx manifest and packages, G03xx shape, G04xx effect syntax, G05xx names, G06xx types,
G07xx flow, G08xx rules ledger and scenarios, G09xx text and locale. To add a code, append one `_register(...)` call
to its group with the next free number. A number is never used again for another meaning.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Literal

from grimoire.compiler.records import record

Severity = Literal["error", "warning", "note"]

_CODE = re.compile(r"G\d{4}\Z")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")


@record(frozen=True)
class Code:
    """One stable code. `example` is a file or a snippet that gets this diagnostic, `repair` what to do."""

    code: str
    name: str
    severity: Severity
    title: str
    explanation: str
    example: str
    repair: str


CODES: dict[str, Code] = {}


def code_of(code: str) -> Code:
    """The entry of a code; the tables beside this module are loaded when one of theirs is first asked for."""
    if code not in CODES:
        for path in sorted(Path(__file__).parent.glob("codes_*.py")):
            import_module(f"grimoire.compiler.diagnostics.{path.stem}")
    return CODES[code]


_names: set[str] = set()


def _register(
    code: str, name: str, title: str, *, explanation: str, example: str, repair: str, severity: Severity = "error"
) -> None:
    if not _CODE.match(code) or not _NAME.match(name):
        raise ValueError(f"bad code or name: {code} {name}")
    if code in CODES or name in _names:
        raise ValueError(f"registered twice: {code} {name}")
    if not (title.strip() and explanation.strip() and example.strip() and repair.strip()):
        raise ValueError(f"{code} needs a title, an explanation, an example and a repair")
    _names.add(name)
    CODES[code] = Code(code, name, severity, title, explanation, example, repair)


def register_content(
    code: str, name: str, title: str, explanation: str, *, repair: str, example: str, severity: Severity = "error"
) -> None:
    """Register a code of the stages that look inside a package.

    An `example` is the text of one more file, example.yaml, in the package tests/diagnostics/base/; a test puts it
    there and expects exactly this code. An example that starts with the line `# file: NAME` takes the place of that
    file of the package.
    """
    _register(
        code,
        name,
        title,
        explanation=" ".join(explanation.split()),
        repair=" ".join(repair.split()),
        example=example.lstrip("\n"),
        severity=severity,
    )


# --- G01xx files and YAML -------------------------------------------------------------------------------------------

_register(
    "G0101",
    "file-not-found",
    "The file does not exist",
    explanation="A file that was named on the command line or found in a package folder is not there (any more).",
    example="grimoire check content/no-such-folder/first.yaml",
    repair="Check the spelling of the path, also its capital letters.",
)
_register(
    "G0102",
    "not-a-file",
    "A folder or a device stands where a file is wanted",
    explanation="Only regular files are read. A folder whose name ends in .yaml, a pipe or a device is refused.",
    example="content/sample/first.yaml/   (a folder)",
    repair="Rename the folder, or name a file inside it.",
)
_register(
    "G0103",
    "unreadable",
    "The file or folder cannot be read",
    explanation="The operating system refused to open or read it, most often because of its permissions; or somebody "
    "is writing to it at this moment, and half a text is not read.",
    example="chmod 000 content/sample/first.yaml",
    repair="Give your user the right to read it, or wait until it is written.",
)
_register(
    "G0104",
    "bad-link",
    "A symbolic link that a package must not have",
    explanation="A package reads only what lies in its own folder. A link that leads out of it, that leads to a "
    "folder, that leads nowhere, or that leads round in a circle is not followed; nor is one beside packages that "
    "leads to another package.",
    example="ln -s first.yaml content/sample/first.yaml",
    repair="Put the file itself into the package, or delete the link.",
)
_register(
    "G0105",
    "file-too-large",
    "The file is larger than 8 MiB",
    explanation="Content files have a size cap, so that no file can eat the memory of the machine that checks it.",
    example="content/sample/first.yaml   (9 MiB)",
    repair="Split the file into several; a package may have any number of files in any number of folders.",
)
_register(
    "G0106",
    "not-utf8",
    "The file is not UTF-8 text",
    explanation="All content is UTF-8. The file was saved in another encoding (UTF-16, or a national code page), "
    "or it is not text.",
    example="content/sample/first.yaml   (saved as UTF-16)",
    repair="Open the file in an editor and save it with the encoding UTF-8.",
)
_register(
    "G0107",
    "byte-order-mark",
    "The file starts with a byte order mark",
    severity="warning",
    explanation="Some editors put an invisible mark before the first letter. It is skipped, but other tools trip "
    "over it.",
    example="\ufefffirst: 1\n",
    repair="Save the file as UTF-8 without a byte order mark (BOM).",
)
_register(
    "G0108",
    "control-character",
    "An invisible control character",
    explanation="Control characters, exotic line separators and byte order marks inside a file cannot be seen by a "
    "reader, so they are refused; so are their escapes in double quotes. Tab and line end are the only ones allowed.",
    example='first: "\\a"\n',
    repair="Delete the character. It often comes with text pasted from a document or a web page.",
)
_register(
    "G0109",
    "empty-file",
    "The file has no content",
    explanation="The file is empty or has only comments. Nothing in a package is ignored in silence, and an empty "
    "file says nothing.",
    example="# only a comment\n",
    repair="Write its content, or delete the file.",
)
_register(
    "G0110",
    "yaml-syntax",
    "The file is not well-formed YAML",
    explanation="The place shown is where reading stopped; the cause is there or shortly before it. The rest of "
    "the file was not read.",
    example="first: [1, 2\nsecond: 3\n",
    repair="Look for a bracket or a quote that is not closed, for a wrong indentation, and for text that has to be "
    "quoted because it contains ': ' or ' #' or starts with a sign such as * & ! % @ ` [ {.",
)
_register(
    "G0111",
    "tab-indent",
    "A tab in the indentation",
    explanation="YAML indents with spaces only, because tabs are wide in one editor and narrow in another.",
    example="first:\n\tsecond: 1\n",
    repair="Replace the tab by spaces, two for each level.",
)
_register(
    "G0112",
    "too-deep",
    "More than 64 levels of nesting",
    explanation="Lists and mappings may stand inside each other to a depth of 64. The rest of the file was not read.",
    example="first: " + "[" * 70 + "]" * 70 + "\n",
    repair="Give the inner parts names of their own and refer to them by name.",
)
_register(
    "G0113",
    "text-too-long",
    "A single text is longer than a million characters",
    explanation="A single value may have 1,048,576 characters. Often a quote that was never closed swallows the "
    "rest of a file.",
    example="first: 'aaaa...   (two million letters)",
    repair="Close the quote, or split the text.",
)
_register(
    "G0114",
    "too-many-values",
    "More than a million values in one file",
    explanation="The number of keys and values of one file is capped. The rest of the file was not read.",
    example="[1, 1, 1, ...   (two million times)",
    repair="Split the file into several.",
)
_register(
    "G0115",
    "duplicate-key",
    "A key stands twice in one mapping",
    explanation="YAML would keep the last one and drop the first in silence. Here the first is kept and the second "
    "is reported.",
    example="first: 1\nsecond: 2\nfirst: 3\n",
    repair="Delete or rename one of the two. Several values of one key are a list.",
)
_register(
    "G0116",
    "anchor-or-alias",
    "Anchors and aliases are not used",
    explanation="A value that starts with & or * is an anchor or an alias in YAML. They make files hard to read and "
    "can blow up to any size, so they are refused.",
    example="first: &name 1\nsecond: *name\n",
    repair="Write the value out, or declare it once and refer to it by name. To mean the sign itself, quote the text.",
)
_register(
    "G0117",
    "tag-or-directive",
    "Tags and directives are not used",
    explanation="A value that starts with ! is a tag in YAML, a line that starts with % at the top of a file is a "
    "directive. Neither has a meaning here.",
    example="first: !special 1\n",
    repair="Delete it. To mean the sign itself, quote the text.",
)
_register(
    "G0118",
    "merge-key",
    "Merge keys are not used",
    explanation="The key << copies another mapping in some YAML tools. It needs aliases, which are refused.",
    example="first:\n  <<: {second: 1}\n",
    repair="Write the keys out.",
)
_register(
    "G0119",
    "several-documents",
    "More than one document in a file",
    explanation="A line --- starts a new YAML document. A content file holds exactly one; the rest of the file was "
    "not read.",
    example="first: 1\n---\nsecond: 2\n",
    repair="Delete the line ---, or make two files.",
)
_register(
    "G0120",
    "complex-key",
    "A key that is not a single line of text",
    explanation="Keys are names: one line of text, not empty, no list and no mapping.",
    example="? [first, second]\n: 1\n",
    repair="Write a name before the colon. A value in braces is a mapping: quote it if you mean text with braces.",
)
_register(
    "G0121",
    "bad-file-name",
    "A file name that cannot be shown",
    explanation="Names of files stand in reports and in compiled packages, so they have to be text in UTF-8 without "
    "control characters and other signs that cannot be seen. The same holds for the folders of a package.",
    example="content/sample/caf\\xe9.yaml   (a byte that is not UTF-8)",
    repair="Rename the file; lower-case letters, digits and '-' work everywhere.",
)
_register(
    "G0122",
    "hidden-character",
    "An invisible character that makes text read otherwise than it is",
    explanation="Signs for the direction of text (marks, embeddings, overrides, isolates) can show a line in another "
    "order than it is read, and signs without width can make two texts look the same that are not. Nobody sees them in "
    "an editor or a review, so they are refused everywhere in a file, comments included; so are their escapes in "
    "double quotes. Soft hyphens, no-break spaces and the joiners U+200C and U+200D are allowed.",
    example='first: "\\u202e"\n',
    repair="Delete the character. It often comes with text pasted from a document, a chat or a web page.",
)
_register(
    "G0199",
    "more-not-shown",
    "There are more diagnostics than are shown",
    severity="note",
    explanation="At most 200 diagnostics of one file and 2,000 in all are shown, errors before warnings.",
    example="content/sample/first.yaml   (with 300 mistakes)",
    repair="Repair those that are shown, then check again.",
)

# --- G02xx manifest and packages ------------------------------------------------------------------------------------

_register(
    "G0201",
    "manifest-missing",
    "The folder has no package.yaml",
    explanation="A package is a folder with a file package.yaml that says its id, its version and what it needs.",
    example="content/sample/   (without package.yaml)",
    repair="Add package.yaml with at least: package, version, languages.",
)
_register(
    "G0202",
    "package-not-found",
    "No package of that name or in that place",
    explanation="What was asked for is neither a package folder, nor a folder of packages, nor a file in a package, "
    "nor the id of a package in content/.",
    example="grimoire check smaple",
    repair="Give the path of a package, or its id if it lies in content/ under the current folder.",
)
_register(
    "G0203",
    "folder-without-manifest",
    "A folder of YAML files that is not a package",
    severity="warning",
    explanation="The folder lies beside packages and has YAML files, but no package.yaml, so nothing reads it.",
    example="content/sample/first.yaml   (without content/sample/package.yaml)",
    repair="Add package.yaml, or move the files into a package.",
)
_register(
    "G0204",
    "bad-package-id",
    "Not a package id",
    explanation="An id has lower-case letters, digits and single hyphens, starts with a letter and has at most 64 "
    "characters.",
    example="package: Sample_One\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\n",
    repair="Write it in lower case with hyphens, like sample-one.",
)
_register(
    "G0205",
    "id-differs-from-folder",
    "The package id is not the name of its folder",
    severity="warning",
    explanation="Other packages and the command line find a package by the name of its folder, content/<id>/.",
    example="package: another\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\n",
    repair="Rename the folder, or change the id.",
)
_register(
    "G0206",
    "bad-version",
    "Not a version",
    explanation="A version has three numbers: breaking change, addition, repair.",
    example="package: sample\nversion: 1.0\nlanguage: 2\nlanguages: [en]\n",
    repair="Write three numbers with points, like 1.0.0.",
)
_register(
    "G0207",
    "bad-range",
    "Not a version range",
    explanation="A range is a list of bounds with commas between them: >=, >, <=, < with one to three numbers; = or != "
    "with three. Numbers left out count as 0. A bare version of three numbers means exactly that one, * means any.",
    example='package: sample\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nneeds:\n  basis: "1.2"\n',
    repair='Write for instance ">=1.2, <2" (in quotes, because YAML gives > a meaning of its own).',
)
_register(
    "G0208",
    "empty-range",
    "A version range that no version can meet",
    explanation="The bounds exclude each other, so the package could never be used.",
    example='package: sample\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nneeds:\n  basis: ">=2, <1"\n',
    repair="Exchange the bounds, or drop one.",
)
_register(
    "G0209",
    "bad-language",
    "Not a language code",
    explanation="Languages are given by code: two or three lower-case letters, then possibly a script and a region.",
    example="package: sample\nversion: 1.0.0\nlanguage: 2\nlanguages: [english]\n",
    repair="Write en, uk, ru, or for instance zh-Hant, pt-BR.",
)
_register(
    "G0210",
    "bad-players",
    "Not a number of players",
    explanation="The number of players is one number or the lowest and the highest one, from 1 to 64.",
    example="package: sample\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nplayers: 4-2\n",
    repair="Write 2, or 2-4, or 2 to 4.",
)
_register(
    "G0211",
    "extends-not-needed",
    "A package is extended but not needed",
    explanation="What a package extends must also stand under needs, with the versions that it fits.",
    example="package: sample\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nextends: [basis]\n",
    repair="Add the package to needs with a version range.",
)
_register(
    "G0212",
    "duplicate-package",
    "Two packages have the same id",
    explanation="Packages are told apart by their ids. The one that comes first by the name of its folder is kept.",
    example="content/one/package.yaml and content/two/package.yaml, both with:  package: one",
    repair="Give one of them another id, or check only one of them.",
)
_register(
    "G0213",
    "needed-package-missing",
    "A needed package is not there",
    explanation="A package under needs was found neither among those given, nor beside the package, nor in content/.",
    example='package: sample\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nneeds:\n  no-such-package: ">=1"\n',
    repair="Check the spelling, or put the package beside this one.",
)
_register(
    "G0214",
    "version-not-met",
    "A needed package has the wrong version",
    explanation="The package is there, but its version is outside the range that is asked for.",
    example='needs:\n  basis: ">=2"     # and content/basis/package.yaml says:  version: 1.4.0',
    repair="Get a fitting version of the package, or widen the range if this one works as well.",
)
_register(
    "G0215",
    "package-cycle",
    "Packages need each other in a circle",
    explanation="Packages are built in order, each after those that it needs. A circle has no order.",
    example='package: sample\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\nneeds:\n  sample: ">=1"\n',
    repair="Move what they share into a package that needs none of them.",
)
_register(
    "G0216",
    "tool-version-not-met",
    "The package is made for another version of Grimoire",
    explanation="The key grimoire says which versions of the tool the package is made for, and this one is not "
    "among them.",
    example='package: sample\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\ngrimoire: ">=9000"\n',
    repair="Install a fitting version of Grimoire, or change the range if this one works as well.",
)
_register(
    "G0217",
    "listed-twice",
    "An entry stands twice in a list",
    explanation="The second entry says nothing new; usually another one was meant.",
    example="package: sample\nversion: 1.0.0\nlanguage: 2\nlanguages: [en, en]\n",
    repair="Delete or correct one of the two.",
)
_register(
    "G0220",
    "older-language",
    "The package is written in an older version of the language",
    explanation="Some texts mean something else in a newer version of the effect language. A package says under "
    "language which version it is written in; one that says nothing is of version 1. It is read with the meaning that "
    "its version gives to it, and stays as right as it was: this is a note, and no check fails for it.",
    example="package: sample\nversion: 1.0.0\nlanguages: [en]\n",
    repair="`grimoire fmt --upgrade` rewrites the package so that it means the same in the newest version, and names "
    "the places that a person has to decide.",
    severity="note",
)
_register(
    "G0221",
    "unknown-language-version",
    "No such version of the language",
    explanation="The key language is the version of the effect language, a number. The languages of "
    "its texts stand below languages. A package of a version that this tool does not know cannot be read with the "
    "meaning that it has.",
    example="package: sample\nversion: 1.0.0\nlanguage: 3\nlanguages: [en]\n",
    repair="Write language: 2, or install the Grimoire that knows the version.",
)

# --- G03xx shape: unknown keys, wrong types -------------------------------------------------------------------------

_register(
    "G0301",
    "wrong-shape",
    "A value of another shape is wanted here",
    explanation="A mapping (keys with values), a list or a single text stands where one of the others is wanted.",
    example="package: [sample]\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\n",
    repair="Write 'key: value' lines for a mapping, '- value' lines for a list, one value for a text.",
)
_register(
    "G0302",
    "not-a-number",
    "Not a whole number",
    explanation="A whole number is written with the digits 0-9 and possibly a sign. Other spellings (012, 1e3, 1_000, "
    "0x1F, 1.0, 12:30, a number in quotes) mean different things in different tools, so they are refused.",
    example="amount: 1_000\n",
    repair="Write plain digits: 1000.",
)
_register(
    "G0303",
    "not-a-flag",
    "Neither true nor false",
    explanation="A flag is written true or false. Other words (yes, no, on, off) are ordinary text.",
    example="enabled: yes\n",
    repair="Write true or false.",
)
_register(
    "G0304",
    "missing-value",
    "A key without a value",
    explanation="Nothing stands after the colon or the dash, or null (~), which is the same.",
    example="package:\nversion: 1.0.0\nlanguage: 2\nlanguages: [en]\n",
    repair="Write the value, or delete the key. For a text that is really empty write ''; to mean the word null, "
    "quote it.",
)
_register(
    "G0305",
    "unknown-key",
    "A key that nothing reads",
    explanation="Nothing in a file is ignored in silence, so a key that has no meaning here is a mistake, most "
    "often of spelling.",
    example="package: sample\nversion: 1.0.0\nlanguage: 2\nlangauges: [en]\n",
    repair="Correct the spelling, or delete the key.",
)
_register(
    "G0306",
    "missing-key",
    "A key that must be there is not",
    explanation="The mapping is not complete without this key.",
    example="package: sample\nlanguages: [en]\n",
    repair="Add the key.",
)
_register(
    "G0307",
    "number-out-of-range",
    "A number that is too small or too large",
    explanation="The number is outside of what makes sense here.",
    example="amount: 99999999999999999999\n",
    repair="Write a number inside the bounds that the message names.",
)

# --- G04xx effect syntax --------------------------------------------------------------------------------------------

# --- G05xx names ----------------------------------------------------------------------------------------------------

# --- G06xx types ----------------------------------------------------------------------------------------------------

# --- G07xx flow: unread names, unreachable parts, cycles, budgets ---------------------------------------------------

# --- G08xx rules ledger and scenarios -------------------------------------------------------------------------------

# --- G09xx text and locale ------------------------------------------------------------------------------------------
