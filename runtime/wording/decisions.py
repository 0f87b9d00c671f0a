"""Decisions in words: what a seat is asked, where the question comes from, and each of its options.

In: a decision and the words of a language. Out: text. Nothing but what the decision holds is read, so a seat is told
nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grimoire.runtime.play.decision import Decision
from grimoire.runtime.play.options import Option
from grimoire.runtime.wording.words import Words


class OptionText(NamedTuple):
    """An option in words: all of it; what it has in common with those that differ in the last value; and that value."""

    key: str
    text: str
    group: str
    short: str


def sources_of(decision: Decision) -> tuple[str, ...]:
    """What a question comes from, the nearest first: texts may be worded for it."""
    source = decision.source
    if source is None:
        return ()
    event = None if source.event is None else str(source.event["verb"])
    return tuple(id_ for id_ in (source.label, source.piece, event) if id_ is not None)


def word_prompt(decision: Decision, words: Words) -> str:
    """What is asked, and nothing around it."""
    return words.prompt(decision.label, sources_of(decision))


def word_event(decision: Decision, words: Words) -> str | None:
    """What may be reacted to, if the question is about an event that has a text: it is about to happen, or just has."""
    event = None if decision.source is None else decision.source.event
    if event is None or not words.has_text(event):
        return None
    before = event["ok"] is None
    key = "about-before" if before else "about-after"
    return words.own_text(key, event=words.event(event, upcoming=before))


def word_question(decision: Decision, words: Words, chosen: Sequence[str] = ()) -> str:
    """The question with who is asked, and what it is asked for: a card, an ability, a rule; and what was `chosen` just
    before.
    """
    parts: list[str] = []
    source = decision.source
    if source is not None:
        name = "" if source.piece is None else words.name(source.piece)
        ability = "" if source.label is None else cut_head(words.option(source.label, (), source.label))
        parts += [ability] if ability.startswith(name) and ability else [name, ability]
        if source.clause is not None and (source.event is None or not any(parts)):
            parts.append(words.clause(source.clause))
    parts += [text for text in chosen if text not in parts]
    places = {"seat": words.seat(decision.seat + 1), "prompt": word_prompt(decision, words)}
    if not any(parts):
        return words.own_text("asks", **places)
    return words.own_text("asks-for", source=" › ".join(part for part in dict.fromkeys(parts) if part), **places)


def word_options(decision: Decision, words: Words) -> list[OptionText]:
    """The options in their order; pieces of one name in several places are told apart by their places."""
    sources = sources_of(decision)
    found: list[OptionText] = []
    for option in decision.options:
        text = words.option(option.label, option.values, option.key, sources, decision.label)
        group, short = words.option_in_group(option.label, option.values) if option.values else ("", text)
        found.append(OptionText(option.key, text, group, short))
    texts = [row.text for row in found]
    for at, option in enumerate(decision.options):
        zones = [str(value).partition("@")[2].partition("#")[0] for value in option.values if "@" in str(value)]
        if zones and texts.count(texts[at]) > 1:
            where = ", ".join(words.zone(zone) for zone in dict.fromkeys(zones))
            row = found[at]
            found[at] = row._replace(text=f"{row.text} ({where})", short=f"{row.short} ({where})")
    return found


def cards_of(option: Option) -> list[str]:
    """The ids of the pieces that an option names."""
    return [value.partition("@")[0] for value in option.values if isinstance(value, str) and "@" in value]


def cut_head(option: str) -> str:
    """The name of an ability without what it does, where an option says both."""
    return option.partition(": ")[0]
