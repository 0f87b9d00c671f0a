"""Codes of the stages that look inside a package: shape, effect syntax, names, types, flow, ledger."""

from __future__ import annotations

from grimoire.compiler.codes import _register

_TABLE: list[tuple[str, str, str, str]] = [
    ("G0218", "nothing-to-replace", "A card replaces one that does not exist", "error"),
    ("G0219", "no-game", "The package does not say how the game is played", "error"),
    ("G0308", "bad-name", "A name is not written as names are", "error"),
    ("G0309", "reserved-name", "A name is a word of the language", "error"),
    ("G0310", "bad-declaration", "A declaration names a type, kind or word that there is not", "error"),
    ("G0311", "slots-clash", "Two slots of an ability exclude each other", "error"),
    ("G0312", "bad-signature", "A verb's signature cannot be read", "error"),
    ("G0313", "board-too-large", "A board is empty or too large", "error"),
    ("G0401", "effect-syntax", "An effect text cannot be read", "error"),
    ("G0402", "effect-character", "A character or an indentation has no meaning in effect text", "error"),
    ("G0403", "effect-block", "A colon or an indented line stands where no block is", "error"),
    ("G0404", "third-person", "Somebody else acts without must or may", "error"),
    ("G0405", "effect-too-large", "An effect text is too long or nested too deep", "error"),
    ("G0406", "no-determiner", "A noun stands without a determiner", "error"),
    ("G0407", "nothing-before", "A word that continues a clause stands behind nothing", "error"),
    ("G0501", "unknown-noun", "A noun, name or field is not declared", "error"),
    ("G0502", "unknown-verb", "A verb is not declared", "error"),
    ("G0503", "unknown-adjective", "An adjective cannot be said of this", "error"),
    ("G0504", "unknown-participle", "No verb has this participle", "error"),
    ("G0505", "name-twice", "A name is declared twice or means two things", "error"),
    ("G0506", "whose-zone", "Every player has such a zone: it does not say whose", "error"),
    ("G0507", "which-one", "A definite noun does not say which one", "error"),
    ("G0509", "name-taken", "A name given with as is taken already", "error"),
    ("G0510", "unknown-procedure", "A procedure is not declared", "error"),
    ("G0511", "unknown-outcome", "An outcome is not declared", "error"),
    ("G0601", "wrong-type", "A thing of another type is wanted", "error"),
    ("G0602", "missing-part", "A clause lacks a part", "error"),
    ("G0603", "part-too-many", "A clause has a part that the verb does not take", "error"),
    ("G0604", "one-wanted", "One object is wanted, not several", "error"),
    ("G0605", "cannot-compare", "Two things cannot be compared", "error"),
    ("G0606", "cannot-set", "This cannot be set", "error"),
    ("G0607", "not-here", "A construct has no meaning at this place", "error"),
    ("G0608", "phrase-fits-nothing", "A prepositional phrase fits neither verb nor noun", "error"),
    ("G0609", "number-too-large", "A number is too large", "error"),
    ("G0610", "not-carried-out", "The engine cannot carry this out", "error"),
    ("G0701", "never-used", "A name is given and never used", "error"),
    ("G0702", "unreachable", "This can never be reached", "error"),
    ("G0705", "too-much-kept", "An effect keeps too many values", "error"),
    ("G0706", "defined-by-itself", "A definition leads back to itself", "error"),
    ("G0801", "unknown-clause", "A clause is not in the ledger", "error"),
    ("G0802", "clause-kind", "A clause is of no known kind", "error"),
    ("G0803", "manners-reason", "Table manners without a reason", "error"),
]
for _code, _name, _title, _severity in _TABLE:
    _register(_code, _name, _title, explanation=_title, example=_title, repair=_title, severity=_severity)  # type: ignore[arg-type]
