"""When something is there: which values of the options of a game bring it.

`when: {scenario: [first-night, last-night]}` is there with either of them; several options must all fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from grimoire.compiler.declare.model import ALWAYS, Option, PackageModel, When
from grimoire.compiler.diagnostics.report import Diagnostics, did_you_mean
from grimoire.compiler.source.shapes import as_flag, as_mapping, as_text_list
from grimoire.compiler.source.tree import Mapping, Node, Scalar, Sequence

MAX_SETTINGS = 4_096  # settings of the options that are looked at for one map


def read_when(model: PackageModel, mapping: Mapping, diags: Diagnostics) -> When:
    """What `when` of an entry says; without it, always."""
    node = mapping.get("when")
    body = as_mapping(node, diags, "when") if node is not None else None
    made = ALWAYS
    if body is not None and not body.entries:
        diags.add("G0314", body.span, "when names no option", "leave it out: it is always there")
    for key, given in body.entries if body is not None else ():
        option = model.options.get(key.value)
        if option is None:
            guess = did_you_mean(key.value, model.options)
            hint = f"did you mean {guess}?" if guess else "declare it under options"
            diags.add("G0314", key.span, f'there is no option "{key.value}"', hint)
            continue
        values = _read_values(option, given, diags)
        if values:
            made = join(made, ((option.id, values),))
    return made


def _read_values(option: Option, node: Node, diags: Diagnostics) -> tuple[str, ...]:
    if option.sort == "flag":
        flag = as_flag(node, diags, option.id)
        return () if flag is None else (str(flag).lower(),)
    nodes = [node] if isinstance(node, Scalar) else as_text_list(node, diags, option.id) or []
    found: list[str] = []
    for item in nodes:
        if item.value in option.values:
            found.append(item.value)
            continue
        guess = did_you_mean(item.value, option.values)
        message = f'"{item.value}" is no value of the option {option.id}'
        diags.add("G0314", item.span, message, f"did you mean {guess}?" if guess else f"one of {list_values(option)}")
    if isinstance(node, Sequence) and len({*found}) == len(option.values) > 0:
        diags.add("G0314", node.span, f"these are all values of {option.id}", "leave when out: it is always there")
    return tuple(value for value in option.values if value in found)


def list_values(option: Option) -> str:
    return ", ".join(option.values)


def join(*parts: When) -> When:
    """When all of these are there together; an option without a value left means never."""
    found: dict[str, tuple[str, ...]] = {}
    for option, values in (row for part in parts for row in part):
        before = found.get(option)
        found[option] = values if before is None else tuple(value for value in before if value in values)
    return tuple(sorted(found.items()))


def is_never(when: When) -> bool:
    return any(not values for _, values in when)


def settings_of(model: PackageModel, parts: Iterable[When]) -> Iterator[dict[str, str]] | None:
    """Every way to set the options that these ask for; None if there are too many."""
    names = sorted({option for part in parts for option, _ in part})
    choices = [model.options[name].values or ["false", "true"] for name in names]
    count = 1
    for values in choices:
        count *= len(values)
    if count > MAX_SETTINGS:
        return None
    return (dict(zip(names, row, strict=True)) for row in product(*choices))


def is_there(when: When, setting: dict[str, str]) -> bool:
    return all(setting[option] in values for option, values in when)


def say(when: When) -> str:
    """In the words of the file, for a message."""
    return ", ".join(f"{option}: {' or '.join(values)}" for option, values in when) or "always"
