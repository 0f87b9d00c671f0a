"""Charter 2: a content file cannot run code, open a file, loop for ever or eat the memory."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from grimoire.compiler import CompileFailed, check, compile_package
from grimoire.runtime import BudgetExceeded, new_game, simulate
from tests.charter.kit import CONTENT, play, tiny

LONGEST = 60.0  # seconds for one decision that goes on for ever, on a machine under load


def other_files(content: Path) -> list[str]:
    """Files of packages that are neither YAML nor Markdown, or may be run."""
    return [
        path.relative_to(content).as_posix()
        for path in sorted(content.rglob("*"))
        if path.is_symlink()
        or (path.is_file() and (path.suffix not in (".yaml", ".md") or path.stat().st_mode & 0o111))
    ]


def test_content_holds_yaml_and_pages_only(tmp_path: Path) -> None:
    assert other_files(CONTENT) == []
    (tmp_path / "game").mkdir()
    for name in ("a.yaml", "b.py", "c.json"):
        (tmp_path / "game" / name).write_text("", encoding="utf-8")
    (tmp_path / "game" / "d.yaml").symlink_to("a.yaml")
    assert other_files(tmp_path) == ["game/b.py", "game/c.json", "game/d.yaml"]


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:os.system ['touch {mark}']",
        "!!python/object/apply:builtins.open ['{mark}', 'w']",
        "!!python/name:os.system",
        "!include {mark}",
        "!!binary dG91Y2g=",
        "! plain",
    ],
)
@pytest.mark.parametrize("where", ["title: {}", "players: {}", "{}: 1"])
def test_tags_are_refused_and_do_nothing(tmp_path: Path, tag: str, where: str) -> None:
    mark = tmp_path / "touched"
    root = tiny(tmp_path, "outcomes: [finish]\nprocedures:\n  game: end the game with finish\n")
    manifest = root / "package.yaml"
    manifest.write_text(
        manifest.read_text(encoding="utf-8") + where.format(tag.replace("{mark}", str(mark))) + "\n", encoding="utf-8"
    )
    found = check([root])
    assert any(item.severity == "error" and item.span.file.endswith("package.yaml") for item in found)
    assert not mark.exists()
    with pytest.raises(CompileFailed):
        compile_package(root)
    assert not mark.exists()


def test_compiling_and_playing_opens_no_file_but_those_of_the_package(tmp_path: Path) -> None:
    """Every file opened while a package is compiled and played, by the interpreter's own record."""
    folder = str(CONTENT / "love-letter")
    script = f"""
import json, sys
from grimoire.compiler import compile_package
from grimoire.runtime import simulate
simulate(compile_package({folder!r}), 1, 3)  # everything is imported
watched = ("open", "os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "socket.connect", "exec", "compile", "import")
seen = []
sys.addaudithook(lambda event, args: seen.append([event, str(args[0])]) if event in watched else None)
simulate(compile_package({folder!r}), 3, 3)
print(json.dumps(seen))
"""
    env = {**os.environ, "GRIMOIRE_CACHE": "off"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=env, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert any(event == "open" and name.endswith("cards.yaml") for event, name in found)
    # the version of the tool itself is looked up where packages are installed
    strange = [row for row in found if row[1] not in sys.path and not row[1].endswith("-info/METADATA")]
    assert [row for row in strange if row[0] != "open" or not row[1].startswith(folder)] == []


# --- loops and triggers -----------------------------------------------------------------------------------------------

HEAD = """counters: {tide: number}
outcomes: [finish]
verbs:
  rise: {done: risen, body: the tide is now tide + 1}
  fall: {done: fallen, body: the tide is now tide - 1}
"""
GAME = "procedures:\n  game: |\n    rise\n    if tide < 0, fall\n    end the game with finish\n"
ENDLESS = {
    "repeat without a decision": (
        HEAD
        + "procedures:\n  game: |\n    repeat:\n      rise\n      if tide < 0, end the game with finish\n    fall\n",
        "game",
    ),
    "an ability that triggers itself": (
        HEAD + "abilities:\n  swell: {window: after you rise, only: tide > 0, do: rise}\n" + GAME,
        "swell",
    ),
    "two abilities that trigger each other": (
        HEAD + "abilities:\n  swell: {window: after you rise, only: tide > 0, do: fall}\n  ebb: {window: after you "
        "fall, only: tide < 9, do: rise}\n" + GAME,
        "swell",
    ),
    "a verb that does itself": (
        "counters: {tide: number}\noutcomes: [finish]\nverbs:\n  rise: {done: risen, body: 'if tide = 0, rise'}\n"
        "procedures:\n  game: |\n    rise\n    end the game with finish\n",
        "rise",
    ),
    "procedures that take each other": (
        "counters: {tide: number}\noutcomes: [finish]\nprocedures:\n  game: |\n    take a day\n    end the "
        "game with finish\n"
        "  day: if tide = 0, take a night\n  night: if tide = 0, take a day\n",
        "night",
    ),
    "a very long loop": (
        HEAD
        + "procedures:\n  game: |\n    repeat (99999 * (tide + 9999)) times, rise\n    if tide < 0, fall\n    end the "
        "game with finish\n",
        "game",
    ),
    "loops in loops": (
        HEAD
        + "procedures:\n  game: |\n    repeat (tide + 9999) times, repeat (tide + 9999) times, the tide is now tide + 1\n    if "
        "tide < 0, fall\n    rise\n    end the game with finish\n",
        "game",
    ),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_ends_is_stopped_and_named(tmp_path: Path, name: str) -> None:
    text, culprit = ENDLESS[name]
    with pytest.raises(BudgetExceeded) as caught:
        play(tmp_path, text)
    assert culprit in str(caught.value) and "play.yaml:" in str(caught.value)
    assert len(str(caught.value)) < 5000
    with pytest.raises(BudgetExceeded):
        simulate(compile_package(tmp_path / "tiny"), 1)


def test_a_loop_in_which_nothing_happens_is_a_diagnostic(tmp_path: Path) -> None:
    root = tiny(
        tmp_path, HEAD + "procedures:\n  game: |\n    repeat:\n      the tide is now tide + 1\n    rise\n    fall\n"
    )
    assert ("G0707", 8) in [(item.code, item.span.line) for item in check([root])]


@pytest.mark.parametrize("window", ["after you rise", "before you rise"])
def test_a_forced_trigger_without_a_bound_is_a_diagnostic(tmp_path: Path, window: str) -> None:
    root = tiny(tmp_path, HEAD + f"abilities:\n  swell: {{window: {window}, do: rise}}\n" + GAME)
    assert ("G0707", 7) in [(item.code, item.span.line) for item in check([root])]


def test_a_game_that_asks_can_go_on_and_the_choice_before_is_kept(tmp_path: Path) -> None:
    """A decision that runs into the budget is refused as a whole: the game stands where it stood."""
    text = HEAD + "abilities:\n  swell: {window: after you rise, only: tide > 0, do: rise}\n"
    text += (
        "procedures:\n  game: |\n    repeat:\n      either rise or fall\n      if tide < 0 - 2, end the game "
        "with finish\n"
    )
    game = play(tmp_path, text)
    before = game.digest()
    with pytest.raises(BudgetExceeded):
        game.choose("rise")
    assert game.digest() == before and game.decisions_made == ()
    for _ in range(3):
        game.choose("fall")
    assert game.outcome is not None


# --- sizes ------------------------------------------------------------------------------------------------------------

GROWING = {
    "squares": "the tide is now 3\n    repeat 10000 times, the tide is now tide * tide",
    "doubles": "the tide is now 3\n    repeat (10 * 10000) times, the tide is now tide + tide",
}


@pytest.mark.parametrize("name", GROWING)
def test_numbers_do_not_grow_without_bound(tmp_path: Path, name: str) -> None:
    """A number that is squared in a loop is stopped or kept in bounds, and the game can still be saved and hashed."""
    body = GROWING[name]
    root = tiny(
        tmp_path, HEAD + f"procedures:\n  game: |\n    {body}\n    either rise or fall\n    end the game with finish\n"
    )
    script = f"""
import json
from grimoire.compiler import compile_package
from grimoire.runtime import GrimoireError, new_game
try:
    game = new_game(compile_package({str(root)!r}))
    game.digest()
    json.dumps([game.save(), game.view(0)])
    print("kept")
except GrimoireError as error:
    print("refused", error)
"""

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST / 3,
        preexec_fn=small,
    )
    assert done.stdout.startswith(("kept", "refused")), done.stderr[-400:]


CAPS = {
    "copies": (
        "kinds: {good: {is: card}}\nzones: {deck: {holds: good}}\ncards: {lamp: {kind: good, copies: "
        "1000000000, in: deck}}\n",
        "G0307",
    ),
    "a board": ("kinds: {cell: {is: space}}\nboards: {grid: {grid: 100000 x 100000, kind: cell}}\n", "G03"),
    "a number": ("counters: {tide: {type: number, start: 99999999999999999999}}\n", "G0307"),
    "bounds": ("counters: {tide: number 0 to 99999999999999999999}\n", "G0"),
    "a text": ("cards: {lamp: {kind: card, note: '" + "x" * 3_000_000 + "'}}\n", "G0113"),
    "an effect": ("verbs: {rise: {done: risen, body: '" + "rise; " * 60_000 + "rise'}}\n", "G0"),
    "nesting": ("cards: " + "{a: " * 2_000 + "1" + "}" * 2_000 + "\n", "G0112"),
}


@pytest.mark.parametrize("name", CAPS)
def test_sizes_have_caps(tmp_path: Path, name: str) -> None:
    text, code = CAPS[name]
    root = tiny(tmp_path, text + "outcomes: [finish]\nprocedures:\n  game: end the game with finish\n")
    found = check([root])
    assert any(
        item.severity == "error" and item.code.startswith(code) and item.span.file.endswith("play.yaml")
        for item in found
    ), found


def test_a_game_of_many_pieces_is_set_up_in_bounded_time(tmp_path: Path) -> None:
    text = "kinds: {good: {is: card}}\nzones: {deck: {holds: good, seen: nobody}}\ncards:\n"
    text += "".join(f"  lamp-{n}: {{kind: good, copies: 1000, in: deck}}\n" for n in range(5))
    text += "outcomes: [finish]\nprocedures:\n  game: |\n    shuffle the deck\n    end the game with finish\n"
    root = tiny(tmp_path, text)
    game = new_game(compile_package(root), 2)
    assert game.outcome is not None and len(game.view(None)["zones"]["deck"]) == 5000
