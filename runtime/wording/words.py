"""Words: what a game shows in one language: names, prompts, options, sentences of the log, reasons.

In: the texts of an artefact and ids from views, decisions and logs. Out: text. An id without a text is shown in angle
brackets: no other language takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from grimoire.runtime.artefact import arguments
from grimoire.runtime.artefact.loading import Package
from grimoire.runtime.errors import SetupError
from grimoire.runtime.plain_data import Document, Json
from grimoire.runtime.play.shapes import Argument, LogEntry
from grimoire.runtime.play.whynot import Reason
from grimoire.runtime.wording.coordinates import is_coordinate
from grimoire.runtime.wording.counts import plural_forms
from grimoire.runtime.wording.own_words import languages, own_text
from grimoire.runtime.wording.placeholders import fill, places_of

_SEAT: Final = re.compile(r"p([1-9][0-9]?)\Z")
_OWN_CHOICES: Final = ("done", "decline", "pass", "in-turn")
_OWN_PROMPTS: Final = ("order", "react", "who-first")

UNKNOWN: Final = "?"  # the sort of a value that stands in a key: it says itself what it is


def patterns_of(rows: Mapping[str, str]) -> list[tuple[str, str]]:
    """The texts that stand for several ids: `lane-*`."""
    return [(key, value) for key, value in rows.items() if "*" in key]


class Texts(Protocol):
    """Texts of cards that are made from their effects."""

    def parts(self, id_: str) -> Sequence[tuple[str, str]]: ...


class Line(NamedTuple):
    """A line of the log as it is told: its place in the log, how far it is moved in, its text."""

    at: int
    indent: int
    text: str


class Words:
    """The words of one package in one language."""

    def __init__(self, document: Document, language: str, made: Texts | None = None, own: str | None = None) -> None:
        """`own` is the language of the engine's own words, if they are to be said in another one than those of the
        game.
        """
        self.language = language
        self.own_language = language if own is None else own
        self.made = made  # what cards say that the language has no wording for
        texts = _table(_table(document.get("text")).get(language))
        self.text = {section: _texts(rows) for section, rows in texts.items() if isinstance(rows, Mapping)}
        self.own_title = _text(texts.get("title"))
        about = _table(document.get("package"))
        self.id = _text(about.get("id"))
        self.name_of_package = _text(about.get("title"))  # of the manifest: the same in all languages
        self.patterns = patterns_of(self.text.get("names", {}))
        self.card_patterns = patterns_of(self.text.get("cards", {}))
        self.spaces = {_text(row["id"]) for row in _rows(document, "fixtures")}
        self.several = {_text(row["id"]) for row in _rows(document, "definitions") if row["copies"] != 1}
        self.flavour_patterns = patterns_of(self.text.get("flavour", {}))
        stored = [*_rows(document, "vars"), *_rows(document, "columns")]
        self.sorts = {_text(row["id"]): _text(row["sort"]) for row in stored}
        self.ability_labels = {_text(row["id"]): _text(row["label"]) for row in _rows(document, "abilities")}

    def own_text(self, key: str, /, **places: object) -> str:
        """A text of the engine itself."""
        return own_text(self.own_language, key, **places)

    @property
    def unknown(self) -> tuple[str, ...]:
        """What is not known of the language: `texts` (of the package), `words` (of the engine), `counts` (which form
        goes with a number).
        """
        known = {
            "texts": bool(self.text or self.own_title),
            "words": self.own_language in languages(),
            "counts": plural_forms(self.language) is not None,
        }
        return tuple(what for what, there in known.items() if not there)

    @property
    def title(self) -> str:
        return str(self.own_title or self.name_of_package or f"<{self.id}>")

    def name(self, id_: str) -> str:
        """A thing, card, zone, counter or outcome by its id; a coordinate of a grid is its own name."""
        seat = _SEAT.match(id_)
        if seat is not None:
            return self.seat(int(seat[1]))
        found = self.text.get("names", {}).get(id_) or self._by_pattern(id_, self.patterns)
        if found is not None:
            return str(found)
        return id_ if is_coordinate(id_) else f"<{id_}>"

    def card(self, id_: str) -> str | None:
        """The wording of a card, if the language has one."""
        found = self.text.get("cards", {}).get(id_) or self._by_pattern(id_, self.card_patterns)
        if found is None and self.made is not None:
            found = " ".join(text for _, text in self.made.parts(id_)) or None
        return None if found is None else str(found)

    def flavour(self, id_: str) -> str | None:
        """What a card says beside its rules, if it has such a text."""
        found = self.text.get("flavour", {}).get(id_) or self._by_pattern(id_, self.flavour_patterns)
        return None if found is None else str(found)

    def says_values(self, id_: str) -> bool:
        """Whether the text of a card begins with what is printed on it."""
        return self.made is not None and any(part == "printed" for part, _ in self.made.parts(id_)[:1])

    def clause(self, id_: str) -> str:
        """The rule that a clause belongs to, with the clause's own number in it; empty where the rule has no title."""
        rule, _, number = id_.rpartition(".")
        title = self.text.get("clauses", {}).get(rule)
        return "" if title is None else f"{title} · {number}"

    def _by_pattern(self, id_: str, patterns: Sequence[tuple[str, str]]) -> str | None:
        for key, value in patterns:
            head, _, tail = key.partition("*")
            if id_.startswith(head) and id_.endswith(tail) and len(id_) > len(head) + len(tail):
                return str(value).replace("*", id_[len(head) : len(id_) - len(tail)])
        return None

    def seat(self, number: int) -> str:
        return self.own_text("seat", number=number)

    def heading(self, id_: str) -> str:
        """The label of a zone, counter or state in the view; empty for what is not shown."""
        headings = self.text.get("headings", {})
        found = headings.get(id_, headings.get(id_.rpartition(".")[2]))
        if found is not None:
            return str(found)
        if "." in id_:
            return f"<{id_}>"
        return self.name(id_)

    def label_printed(self, id_: str) -> str:
        """The label of what is printed on a card; what has none is not shown."""
        headings = self.text.get("headings", {})
        return str(headings.get(id_, headings.get(id_.rpartition(".")[2], "")))

    def zone(self, id_: str) -> str:
        """A zone by the id of the view: `family.p1` is the zone of a seat."""
        family, _, seat = id_.rpartition(".")
        if family and _SEAT.match(seat):
            return self.own_text("of-seat", zone=self.heading(family), seat=self.name(seat))
        return self.heading(id_)

    def value(self, value: object, sort: str = "") -> str:
        """A value of a view or a key: ids by name, pieces without their place, numbers as they are."""
        if value is None:
            return self.own_text("unknown-piece")
        if sort == "flag":
            return self.own_text("yes" if value else "no")
        if isinstance(value, list):
            return ", ".join(self.value(item) for item in value) or self.own_text("nothing")
        if isinstance(value, int):
            return str(value).replace("-", "−")
        if not isinstance(value, str):
            return str(value)
        if value == "none":
            return self.own_text("nobody" if sort == "seat" else "nothing")
        if "@" in value:
            return self.name(value.partition("@")[0])
        if "#" in value:
            zone, _, place = value.partition("#")
            return f"{self.zone(zone)} #{place}"
        if "." in value and _SEAT.match(value.rpartition(".")[2]):
            return self.zone(value)
        return self.name(value)

    def own(self, section: str, label: str, sources: Sequence[str]) -> str:
        """The key of a text: that of the card, ability or event that a question comes from, if it has one of its
        own."""
        there = self.text.get(section, {})
        return next((key for source in sources if (key := f"{source}.{label}") in there), label)

    def prompt(self, label: str, sources: Sequence[str] = ()) -> str:
        found = self.text.get("prompts", {}).get(self.own("prompts", label, sources))
        if found is not None:
            return str(found)
        return self.own_text(label) if label in _OWN_PROMPTS else f"<{label}>"

    def option(
        self, label: str, values: Sequence[str | int], key: str, sources: Sequence[str] = (), asked: str = ""
    ) -> str:
        """An option of a decision: by its menu entry and what it is done with. What is `asked` for is not repeated in
        the answers."""
        borne = [value for value in values if label.startswith(f"{str(value).partition('@')[0]}.")]
        shown = [value for value in values if value not in borne]  # the ability of a card names the card itself
        own = self.own("choices", label, sources)
        if shown and label == asked and self.text.get("prompts", {}).get(label) and not self._has_places(own):
            return ", ".join(self.value(value) for value in shown)
        return self._option(own, [{"sort": UNKNOWN, "value": value} for value in shown], key)

    def _option(self, label: str, values: Sequence[Argument], key: str) -> str:
        found = self.text.get("choices", {}).get(label)
        listed = ", ".join(self.value(value["value"], value["sort"]) for value in values)
        if found is not None:
            text = fill(str(found), self.language, self._places(None, values))
            said = not values or self._has_places(label) or listed in text
            return text if said else f"{text}: {listed}"
        if label in _OWN_CHOICES:
            return self.own_text(label)
        return listed or f"<{key}>"

    def _has_places(self, label: str) -> bool:
        """Whether the text of a choice says with what; that of a verb may stand for the verb alone."""
        return any(place.name != "you" for place in places_of(str(self.text.get("choices", {}).get(label) or ""))[0])

    def option_in_group(self, label: str, values: Sequence[str | int]) -> tuple[str, str]:
        """An option in two parts: what it has in common with those that differ in the last value, and that value."""
        found = self.text.get("choices", {}).get(label)
        last = self.value(values[-1])
        if found is not None:
            places = self._places(None, [{"sort": UNKNOWN, "value": value} for value in values])
            if not self._has_places(label):
                return ": ".join([str(found), *(self.value(value) for value in values[:-1])]), last
            places[str(len(values))] = (self.own_text("untold"), None)
            return fill(str(found), self.language, places), last
        return ", ".join(self.value(value) for value in values[:-1]), last

    def tells(self, entry: LogEntry, around: str = "") -> bool:
        """Whether an entry of the log is told: decisions that the reader learns something from, and events that
        happened and have a text. `around` is the event in which it lies: texts may be worded for that."""
        if "choice" in entry:
            if entry["entry"] == "done":
                return False
            known = [value for value in entry["values"] if value["value"] is not None]
            return bool(known or not entry["values"] or self.text.get("choices", {}).get(entry["entry"]))
        text = str(self.text.get("log", {}).get(self.own("log", entry["verb"], [around])) or "")
        if entry.get("open") and "{result" in text and not re.search(r"\{[1-9]", text):
            return False  # it says what has come of it, and nothing has yet
        return bool(entry["ok"] and text)

    def sentence(self, entry: LogEntry, around: str = "") -> str | None:
        """A line of the log, or None for an event that is not told."""
        if not self.tells(entry, around):
            return None
        if "choice" in entry:
            return self._choice(entry)
        return self.event(entry, around)

    def _choice(self, entry: LogEntry) -> str:
        """A decision that was made; a bare value goes with what was asked."""
        option = self.word_choice(entry)
        seat = self.value(entry["you"])
        prompt = self.text.get("prompts", {}).get(entry["choice"])
        if prompt and entry["values"] and not _hidden(entry) and not self._has_places(entry["entry"]):
            return self.own_text("chose-asked", seat=seat, prompt=prompt, option=option)
        return self.own_text("chose", seat=seat, option=option)

    def has_text(self, event: LogEntry) -> bool:
        return bool(self.text.get("log", {}).get(event["verb"]))

    def word_choice(self, entry: LogEntry) -> str:
        """What a decision of the log was, without who made it; what the reader may not know is not named."""
        if _hidden(entry) and self.text.get("choices", {}).get(entry["entry"]) and not self._has_places(entry["entry"]):
            return self._option(entry["entry"], (), entry["entry"])
        if entry["values"] and not self._has_places(entry["entry"]):
            return ", ".join(
                self.value(value["value"], value["sort"]) + self._place(value) for value in entry["values"]
            )
        return self._option(entry["entry"], entry["values"], entry["entry"])

    def _place(self, value: Argument) -> str:
        """The space in which a chosen piece stood, where there are several of its name."""
        zone = value.get("zone")
        several = zone in self.spaces and value["value"] in self.several
        return f" ({self.name(zone)})" if zone is not None and several else ""

    def event(self, entry: LogEntry, around: str = "", upcoming: bool = False) -> str:
        """What an event is, whether it happened or not; its id, if it has no text. `VERB.upcoming` is worded for what
        has not."""
        there = self.text.get("log", {})
        found = there.get(self.own("log", entry["verb"], [around]))
        if upcoming:
            found = there.get(f"{entry['verb']}.upcoming") or found
        if not found:
            return f"<{entry['verb']}>"
        places = self._places(entry["you"], entry["args"])
        result = entry.get("result")
        places["result"] = (self.own_text("untold"), None)
        if result is not None:
            places["result"] = (self.value(result["value"], result["sort"]), _number(result["value"]))
        return _sentence(fill(str(found), self.language, places), upcoming)

    def reason(self, reason: Reason) -> str:
        """Why something is not offered; a condition in the words of the package, where they have any."""
        places = {key: str(value) for key, value in reason.about}
        if reason.condition:
            places["condition"] = reason.condition
        for key in ("condition", "ability"):
            if key in places:
                places[key] = str(self.text.get("reasons", {}).get(places[key], places[key]))
        if "name" in places:
            choice = self.text.get("choices", {}).get(places["name"])  # the key of an ability
            places["name"] = self.value(places["name"]) if choice is None else str(choice)
        own = self.text.get("reasons", {}).get(str(dict(reason.about).get("ability")))
        if own is not None and reason.code in ("cost", "target"):
            return str(own)
        text = self.own_text(f"why-{reason.code}", **places)
        return text if not reason.of else f"{self.value(reason.of)}: {text}"

    def story(self, entries: Sequence[LogEntry], since: int = 0, also: Collection[int] = ()) -> list[Line]:
        """The lines of a log from a place on, and at some places before it; what lies in something that is told is
        moved in.

        A decision is left out if the event that it led to says the same.
        """
        lines: list[Line] = []
        around: list[tuple[int, bool, str]] = []
        for at, entry in enumerate(entries):
            while around and around[-1][0] >= entry["depth"]:
                around.pop()
            verb = around[-1][2] if around else ""
            told = self.tells(entry, verb) and not self._says_all(entries, at)
            if told and (at >= since or at in also):
                lines.append(Line(at, sum(above for _, above, _ in around), self.sentence(entry, verb) or ""))
            if "verb" in entry:
                around.append((entry["depth"], told, entry["verb"]))
        return lines

    def _says_all(self, entries: Sequence[LogEntry], at: int) -> bool:
        """Whether the event that a decision led to, or the same event again and again, says all that the decision says.

        Decisions in a row belong together if one of them has the name of the event; a piece says enough by itself.
        """
        if "choice" not in entries[at]:
            return False
        you = entries[at]["you"]
        first = last = at
        while first and "choice" in entries[first - 1] and entries[first - 1]["you"] == you:
            first -= 1
        while last + 1 < len(entries) and "choice" in entries[last + 1] and entries[last + 1]["you"] == you:
            last += 1
        verb: str | None = None
        args: list[object] = []
        for event in entries[last + 1 :]:
            if "verb" not in event or event["you"] != you:
                break
            if self.tells(event):
                if verb not in (None, event["verb"]):
                    break
                verb = event["verb"]
                args.extend(arg["value"] for arg in event["args"])
        known = [value for value in entries[at]["values"] if value["value"] is not None]
        named = any(choice["entry"] == verb for choice in entries[first : last + 1])
        pieces = any(value["sort"] == "piece" for value in known)
        return verb is not None and (named or pieces) and all(value["value"] in args for value in known)

    def _places(self, you: str | None, args: Sequence[Argument]) -> dict[str, tuple[str, int | None]]:
        places: dict[str, tuple[str, int | None]] = {}
        if you is not None:
            places["you"] = (self.value(you), _number(you))
        for at, arg in enumerate(args):
            value, sort = arg["value"], arg["sort"]
            # An argument without a sort is a bare number of the engine: it says nothing to anybody.
            wording = self.own_text("untold") if sort == "" else self.value(value, sort)
            if value is None and "kind" in arg:  # its back says what it is
                wording = self.name(arg["kind"])
            places[str(at + 1)] = (wording, _number(value))
        return places


def words_of(package: Package, language: str) -> Words:
    """The words of a package in one of its languages; `Words.unknown` says what is missing there."""
    document, there = arguments.package(package).document, package.artefact.languages
    if arguments.text(language, "a language", SetupError) not in there:
        names = ", ".join(there) or "none"
        raise SetupError(f"{package.id} has no texts in {arguments.show_value(language)}; its languages: {names}")
    return Words(document, language)


def _table(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Json) -> str:
    return "" if value is None else str(value)


def _texts(rows: Mapping[str, Json]) -> dict[str, str]:
    return {key: str(value) for key, value in rows.items() if value is not None}


def _rows(document: Document, table: str) -> list[Mapping[str, Json]]:
    """The rows of a table of an artefact."""
    found = document.get(table)
    return [_table(row) for row in found] if isinstance(found, Sequence) else []


def _hidden(entry: LogEntry) -> bool:
    """Whether the reader knows nothing of what was chosen."""
    return bool(entry["values"]) and all(value["value"] is None for value in entry["values"])


def _sentence(text: str, upcoming: bool) -> str:
    """A sentence of the log begins with a capital, but for one that goes on another; an ellipsis ends it."""
    text = text.replace("….", "…")
    return text if upcoming else text[:1].upper() + text[1:]


def _number(value: object) -> int | None:
    if isinstance(value, int):
        return value
    seat = _SEAT.match(value) if isinstance(value, str) else None
    return int(seat[1]) if seat else None
