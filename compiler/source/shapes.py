"""Read typed values off a source tree: texts, numbers, flags, lists, known keys.

In: a node and what it is called in messages. Out: the value, or None and a diagnostic (G03xx).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from grimoire.compiler.diagnostics.report import Diagnostics, Related, did_you_mean, is_one_letter_off
from grimoire.compiler.records import replace
from grimoire.compiler.source.tree import Mapping, Node, Scalar, Sequence, first_line, quote

MAX_INT: Final = 2**53 - 1  # what every JSON reader keeps exactly
_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_YES = frozenset(("yes", "on", "y", "true"))
_NO = frozenset(("no", "off", "n", "false"))
_MAX_GUESSES: Final = 100  # suggestions cost time, and nobody reads more of them


def as_text(node: Node, diags: Diagnostics, what: str) -> str | None:
    """The text of a scalar just as it stands. `what` names the value in messages, such as "the title"."""
    scalar = _scalar(node, diags, what, "a text")
    return None if scalar is None else scalar.value


def as_int(node: Node, diags: Diagnostics, what: str, *, low: int = -MAX_INT, high: int = MAX_INT) -> int | None:
    """A whole number in plain digits, within bounds."""
    scalar = _scalar(node, diags, what, "a whole number")
    if scalar is None:
        return None
    text = scalar.value
    if scalar.style != "plain" or not _INT.match(text):
        diags.add("G0302", scalar.span, f"{what} must be a whole number, not {quote(text)}", _int_hint(scalar))
        return None
    # Python refuses to convert thousands of digits, so the length is looked at first.
    value = int(text) if len(text) <= 17 else None
    if value is None or not low <= value <= high:
        bounds = f"from {low:,} to {high:,}" if low > -MAX_INT else f"at most {high:,}"
        if high == MAX_INT and value is not None:
            bounds = f"at least {low:,}"
        diags.add("G0307", scalar.span, f"{what} must be {bounds}, not {quote(text)}")
        return None
    return value


def as_flag(node: Node, diags: Diagnostics, what: str) -> bool | None:
    """true or false, and nothing else."""
    scalar = _scalar(node, diags, what, "true or false")
    if scalar is None:
        return None
    if scalar.style == "plain" and scalar.value in ("true", "false"):
        return scalar.value == "true"
    word = scalar.value.lower()
    hint = "write true" if word in _YES else "write false" if word in _NO else None
    if hint is not None and scalar.style != "plain":
        hint += " without quotes"
    diags.add("G0303", scalar.span, f"{what} must be true or false, not {quote(scalar.value)}", hint)
    return None


def as_mapping(node: Node, diags: Diagnostics, what: str) -> Mapping | None:
    if isinstance(node, Mapping):
        return node
    wrong_shape(node, diags, what, "a mapping", "write 'key: value' lines")
    return None


def as_sequence(node: Node, diags: Diagnostics, what: str) -> Sequence | None:
    if isinstance(node, Sequence):
        return node
    hint = f"write [{node.value}]" if isinstance(node, Scalar) and len(node.value) < 40 else "write '- value' lines"
    wrong_shape(node, diags, what, "a list", hint)
    return None


def as_text_list(node: Node, diags: Diagnostics, what: str) -> list[Scalar] | None:
    """The entries of a list of texts; entries that are not texts are reported and left out."""
    sequence = as_sequence(node, diags, what)
    if sequence is None:
        return None
    found: list[Scalar] = []
    for item in sequence.items:
        if isinstance(item, Scalar) and not item.is_missing:
            found.append(item)
        else:
            _scalar(item, diags, f"an entry of {what}", "a text")
    return found


def as_text_set(node: Node, diags: Diagnostics, what: str) -> list[Scalar] | None:
    """`as_text_list` without repetitions; what stands twice is reported."""
    entries = as_text_list(node, diags, what)
    if entries is None:
        return None
    first: dict[str, Scalar] = {}
    for entry in entries:
        if first.setdefault(entry.value, entry) is not entry:
            related = [Related(first[entry.value].span, "it stands here for the first time")]
            message = f"{quote(entry.value)} stands twice under {what}"
            diags.add("G0217", entry.span, message, "delete one of the two", related)
    return list(first.values())


def check_keys(
    mapping: Mapping, allowed: Collection[str], diags: Diagnostics, what: str, *, required: Iterable[str] = ()
) -> Mapping:
    """Report keys that are not among `allowed`, and required ones that are not there. The mapping is returned with its
    keys as they were meant: what follows from a misspelt one is no further mistake."""
    present = {key.value for key, _ in mapping.entries}
    strange = [key for key, _ in mapping.entries if key.value not in allowed]
    open_names = [name for name in allowed if name not in present] if strange else []
    known = ", ".join(sorted(allowed)[:20]) if strange else ""
    meant: dict[Scalar, str] = {}
    for unknown, key in enumerate(strange, 1):
        guess = did_you_mean(key.value, open_names) if unknown <= _MAX_GUESSES else None
        message = f"{what} has no key {quote(key.value)}"
        if guess is not None:
            diags.add("G0305", key.span, f"{message} (did you mean {quote(guess)}?)", f"write {guess}")
            meant[key] = guess
            open_names.remove(guess)
        else:
            diags.add("G0305", key.span, message, f"known keys: {known}" if known else None)
    said = {*present, *meant.values()}
    for name in required:
        if name not in said:
            span = mapping.source.span(mapping.line, mapping.column)
            diags.add("G0306", span, f"{what} needs the key {quote(name)}", f"add '{name}: ...'")
    if not meant:
        return mapping
    return replace(
        mapping, entries=tuple((key._replace(value=meant.get(key, key.value)), node) for key, node in mapping.entries)
    )


def find_key(mapping: Mapping, wanted: str) -> str:
    """The key under which something stands that is read before the keys are checked: as it was misspelt, if nothing
    stands under the right one."""
    keys = [key.value for key, _ in mapping.entries]
    return next((key for key in keys if is_one_letter_off(key, wanted)), wanted) if wanted not in keys else wanted


def _scalar(node: Node, diags: Diagnostics, what: str, wanted: str) -> Scalar | None:
    if isinstance(node, Scalar) and not node.is_missing:
        return node
    hint = None
    if not isinstance(node, Scalar) and _is_flow(node):
        hint = "put it in quotes if it is a text that starts with a bracket or a brace"
    wrong_shape(node, diags, what, wanted, hint)
    return None


def wrong_shape(node: Node, diags: Diagnostics, what: str, wanted: str, hint: str | None) -> None:
    """Report that a value is of another shape than the one wanted."""
    if isinstance(node, Scalar) and node.is_missing:
        _report_missing(node, diags, what)
        return
    got = "a mapping" if isinstance(node, Mapping) else "a list" if isinstance(node, Sequence) else quote(node.value)
    diags.add("G0301", first_line(node), f"{what} must be {wanted}, not {got}", hint)


def _report_missing(node: Scalar, diags: Diagnostics, what: str) -> None:
    if node.value:
        hint = f"write a value, or delete the key; to mean the text itself, put it in quotes: '{node.value}'"
        diags.add("G0304", node.span, f"{what} is {quote(node.value)}, which is YAML for no value", hint)
        return
    span = node.source.span(node.line, max(1, node.column - 1))
    diags.add("G0304", span, f"{what} has no value", "write a value, or delete the key; an empty text is ''")


def _is_flow(node: Mapping | Sequence) -> bool:
    line = node.source.lines[node.line - 1]
    return line[node.column - 1 : node.column] in ("[", "{")


def _int_hint(node: Scalar) -> str | None:
    text = node.value
    if node.style in ("single", "double") and _INT.match(text):
        return f"write {text} without quotes"
    digits = re.sub(r"[_,' \u00a0\u202f]", "", text)
    if digits != text and _INT.match(digits):
        return f"write {digits}"
    if re.match(r"[-+]?0+[0-9]+\Z", text):
        return f"write {text.lstrip('+-0') or '0'} without the leading zero"
    if re.match(r"[-+]?(0[xob][0-9a-fA-F]+|[0-9.]+[eE][-+]?[0-9]+|[0-9]*\.[0-9]*|[0-9]+(:[0-9]+)+)\Z", text):
        return "write it in plain digits, like 12"
    return "write a number in plain digits, like 12"
