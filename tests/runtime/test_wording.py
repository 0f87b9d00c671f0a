"""A game is worded from its artefact alone, in every language that it has; what is not known of a language is said."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from babel import Locale
from babel.localedata import locale_identifiers

from grimoire.compiler.reference.plurals import FILE, render_plurals
from grimoire.runtime import SetupError, new_game
from grimoire.runtime.wording.counts import MOST, ORDER, plural_form, plural_forms
from grimoire.runtime.wording.own_words import languages, own_text
from grimoire.runtime.wording.views import word_view
from grimoire.runtime.wording.words import Words, words_of
from tests.charter.kit import ROOT, package

PACKAGES = sorted(path.parent.name for path in (ROOT / "content").glob("*/package.yaml"))

THIRD_PARTY = "yaml lark rich babel jsonschema polib"
# Runs with everything blocked that a server does not have: plays some decisions and words all that a seat is shown.
WORDED = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in sys.argv[3].split() or name.startswith("grimoire.compiler"):
            raise ImportError(f"{name} is blocked")
sys.meta_path.insert(0, Blocker())
import json
from grimoire.runtime import load_artefact, new_game
from grimoire.runtime.kernel.rng import Dice
from grimoire.runtime.wording.decisions import word_event, word_options, word_question
from grimoire.runtime.wording.views import word_outcome, word_view
from grimoire.runtime.wording.words import words_of
package = load_artefact(sys.argv[1])
most = int(sys.argv[2])
counts, bare, unknown = {}, {}, []
for language in package.document["languages"]:
    words = words_of(package, language)
    unknown += words.unknown
    said = {"prompts": [words.title], "options": [], "views": [], "log": [], "reasons": [], "outcomes": []}
    game = new_game(package, package.min_players, 5)
    dice = Dice(5, "wording")
    while game.decision is not None and len(game.made) < most:
        decision = game.decision
        said["prompts"] += [word_question(decision, words), word_event(decision, words) or ""]
        options = word_options(decision, words)
        assert [row.key for row in options] == list(decision.keys)
        said["options"] += [row.text for row in options]
        if len(game.made) % 10 == 0:
            view = json.loads(json.dumps(word_view(game.view(decision.seat), words)))
            said["views"] += [row["heading"] + row["value"] for row in view["counters"]] + view["effects"]
            for part in ("seats", "fixtures", "zones"):
                for row in [each for one in view[part] for each in (one, *one.get("pieces", ()))]:
                    states = [state["heading"] + state["value"] for state in row.get("states", ())]
                    said["views"] += [row["name"], *states]
            said["reasons"] += [words.reason(why) for why in game.why_not("no-such-key")]
        game.choose_index(dice.below(len(options)))
    said["log"] += [line.text for seat in range(game.players) for line in words.story(game.log(seat, choices=True))]
    if game.outcome is not None:
        said["outcomes"] += word_outcome(game.outcome, words)
    counts[language] = {part: len(texts) for part, texts in said.items()}
    found = [text for part, texts in said.items() if part != "reasons" for text in texts if "<" in text or "{" in text]
    if found:
        bare[language] = found[:5]
print(json.dumps({"counts": counts, "bare": bare, "unknown": unknown}))
"""


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_is_worded_without_the_compiler(name: str, tmp_path: Path) -> None:
    path = tmp_path / "artefact.json"
    path.write_text(json.dumps(package(name).document), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", WORDED, str(path), "120", THIRD_PARTY], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["bare"] == {} and report["unknown"] == []
    there = package(name).document["languages"]
    assert list(report["counts"]) == there and len(there) >= 3
    for counts in report["counts"].values():
        assert all(counts[part] for part in ("prompts", "options", "views", "log", "reasons")), counts
    blocked = WORDED.replace("import json\n", "import json\nimport babel\n", 1)
    if name == PACKAGES[0]:
        again = subprocess.run(
            [sys.executable, "-c", blocked, str(path), "1", THIRD_PARTY], capture_output=True, check=False
        )
        assert again.returncode != 0


def test_a_language_that_a_package_does_not_have_is_refused() -> None:
    with pytest.raises(SetupError, match="leduc has no texts in 'de'; its languages: en, uk, ru"):
        words_of(package("leduc"), "de")
    with pytest.raises(SetupError, match="a language is a text"):
        words_of(package("leduc"), 3)  # type: ignore[arg-type]


def test_what_is_not_known_of_a_language_is_said() -> None:
    document = {"package": {"id": "x"}, "text": {"zz": {"title": "X", "log": {"go": "{1} {1|a|b}"}}}}
    words = Words(document, "zz")
    assert words.unknown == ("words", "counts") and Words(document, "zz", own="en").unknown == ("counts",)
    assert Words(document, "uk").unknown == ("texts",)
    assert words.seat(1) == "<seat>" and Words(document, "zz", own="en").seat(1) == "Player 1"
    entry = {"verb": "go", "you": "p1", "args": [{"sort": "number", "value": 2}], "ok": True}
    assert words.sentence(entry) == "2 a/b"
    assert own_text("zz", "pass") == "<pass>"


def test_a_view_in_words_holds_what_the_view_holds() -> None:
    game = new_game(package("love-letter"), 3, 7)
    view, words = game.view(0), words_of(package("love-letter"), "en")
    said = word_view(view, words)
    assert [row["id"] for row in said["seats"]] == ["p1", "p2", "p3"]
    assert [row["name"] for row in said["seats"]] == ["Player 1", "Player 2", "Player 3"]
    zones = {row["id"]: row for row in said["zones"]}
    assert [piece["id"] for piece in zones["hand.p1"]["pieces"]] == [piece["id"] for piece in view["zones"]["hand.p1"]]
    assert all(piece["id"] is None and piece["text"] is None for piece in zones["hand.p2"]["pieces"])
    assert said["title"] == words.title and said["seat"] == "Player 1"


def test_the_languages_are_the_files_of_the_folder() -> None:
    names = sorted(path.stem for path in (ROOT / "runtime" / "wording" / "languages").glob("*.json"))
    assert list(languages()) == names and len(names) >= 3


def test_counts_are_those_of_cldr_in_every_language() -> None:
    known = 0
    for name in sorted(locale_identifiers()):
        language, rule = name.replace("_", "-"), Locale.parse(name).plural_form
        if plural_forms(language) is None:
            continue
        known += 1
        said = [rule(count) for count in range(MOST)]
        forms = [form for form in ORDER if form in said]
        assert plural_forms(language) == len(forms), language
        assert [plural_form(language, count) for count in range(MOST)] == [forms.index(form) for form in said], language
    assert known > 500 and plural_form("uk", -21) == 0


def test_the_table_of_counts_is_the_one_that_babel_gives() -> None:
    assert FILE.read_text(encoding="utf-8") == render_plurals()
