"""Loading: a save -> the game that it was made of; the content hash is checked, and every part before it is used."""

from __future__ import annotations

from grimoire.runtime.artefact import arguments
from grimoire.runtime.artefact.documents import SIGNED, read_json
from grimoire.runtime.artefact.loading import Package
from grimoire.runtime.build.program import Program, program_for
from grimoire.runtime.errors import ContentMismatch, GrimoireError, SaveError, engine_fault
from grimoire.runtime.kernel import trial
from grimoire.runtime.kernel.base import GRANTED
from grimoire.runtime.kernel.state import State, fresh_state
from grimoire.runtime.play.faults import FAULTS
from grimoire.runtime.play.forced_results import RandomScript
from grimoire.runtime.play.frames import since_slots
from grimoire.runtime.play.game import Game, new_game
from grimoire.runtime.play.listener_index import rebuild_index
from grimoire.runtime.play.log import Begun, Log, Written
from grimoire.runtime.play.save import FORMAT, VERSION, check_whole
from grimoire.runtime.play.save_check import (
    LOGGED,
    MOST,
    STATE,
    TOP,
    SaveCheck,
    check_list,
    check_whole_number,
    decision_line,
    fail,
    table,
    text,
)
from grimoire.runtime.play.shapes import Saved


def load_game(package: Package, save: Saved | bytes, migrate: bool = False, key: bytes | None = None) -> Game:
    """A game from its save, or from the bytes of one. Another content hash is refused, unless ``migrate``: then the
    decisions are replayed.

    With a key, a save that was not signed with it, or was changed since, is refused; ``Game.protected`` tells.
    """
    arguments.package(package)
    if isinstance(save, bytes | bytearray):
        given: object = read_json(bytes(save), "the save", SaveError)
        save = given if isinstance(given, dict) else {}
    if not isinstance(save, dict) or save.get("format") != FORMAT:
        raise SaveError("this is no saved game")
    if save.get("version") != VERSION:
        raise SaveError(
            f"save version {arguments.show_value(save.get('version'))} is not known; this runtime loads {VERSION}. "
            "Its decisions can be played again: replay(package, save)"
        )
    check_whole(save, key)
    try:
        _check_head(save)
        if save["content"] != package.hash:
            if not migrate:
                raise ContentMismatch(save["content"], package.hash)
            game = _migrate(package, save)
        else:
            game = _restore(package, save)
    except SaveError:
        raise
    except FAULTS as error:
        raise _refusal(error, key is not None) from (None if isinstance(error, GrimoireError) else error)
    game.protected = key is not None
    return game


def _refusal(error: BaseException, signed: bool) -> GrimoireError:
    """What to raise for a save that cannot be played on. One that we signed is as we wrote it: the fault is ours."""
    if isinstance(error, GrimoireError | RecursionError | MemoryError):
        return SaveError(f"the save is damaged: {type(error).__name__} {error}")
    found = engine_fault("loading a save", error)
    if signed:
        return found
    return SaveError(f"the save was changed by hand, or the engine cannot read what it wrote: {found}")


def _check_head(save: Saved) -> None:
    """Everything but the state and the log."""
    logged = LOGGED if "log" in save else ()
    table(save, "the save", {*TOP, *logged}, ("signature",))
    if save["protection"] not in ("none", SIGNED) or (save["protection"] == SIGNED) != ("signature" in save):
        fail("protection", "it says something else than the signature")
    head = table(save["package"], "package", ("id", "version"))
    for name, value in {"content": save["content"], "check": save["check"], **head}.items():
        text(value, name)
    players = check_whole_number(save["players"], "players", 1, 64)
    for name, value in table(save["options"], "options", (), save["options"] or ()).items():
        if type(value) not in (bool, int, str) and value is not None:
            fail(f"options.{text(name, 'options')}", f"{arguments.show_value(value)} is no value")
    if type(save["edited"]) is not bool:
        fail("edited", "expected true or false")
    for at, line in enumerate(check_list(save["decisions"], "decisions")):
        if decision_line(line, f"decisions[{at}]")[0] >= players:
            fail(f"decisions[{at}]", f"{arguments.show_value(line)} is of a seat that there is not")
    for at, x in enumerate(check_list(save["numbers"], "numbers", players)):
        check_whole_number(x, f"numbers[{at}]", 1, MOST)


def _migrate(package: Package, save: Saved) -> Game:
    if save["edited"]:
        raise SaveError("the position was edited, so its decisions cannot be replayed on other content")
    known = {row.id for row in package.artefact.options}
    options = {name: value for name, value in save["options"].items() if name in known}
    game = new_game(package, save["players"], save["seed"], options, script=save["script"])
    for at, line in enumerate(save["decisions"]):
        seat, choice = decision_line(line, f"decision {at + 1}")
        try:
            game.choose(choice, seat)
        except GrimoireError as error:
            raise SaveError(
                f"decision {at + 1} ({arguments.show_value(line)}) does not fit the new content: {error}"
            ) from None
    game.numbers = save["numbers"]
    return game


def _restore(package: Package, save: Saved) -> Game:
    options = dict(save["options"])
    p = program_for(package, save["players"], options)
    g = fresh_state(p.tables, arguments.seed(save["seed"], SaveError))
    script = None if save["script"] is None else arguments.script(save["script"])
    state = table(save["state"], "state", STATE)
    check = SaveCheck(p, p.live_slots())
    counters = check.counters(state["counters"], script)
    g.mem = [
        *counters,
        -1,
        *check.cells(state["vars"], p.artefact.vars),
        *check.columns(state["columns"]),
        *check.masks(state["known"], "known"),
        *check.moments(state["stamps"], "stamps", len(p.tables.mem) - p.tables.stamps),
    ]
    g.zones = check.zones(state["zones"])
    g.loc = [-1] * len(p.piece_def)
    for zone, pieces in enumerate(g.zones):
        for piece in pieces:
            g.loc[piece] = zone
    g.floats = check.floats(state["floats"], counters[GRANTED], len(check_list(state["frames"], "frames")))
    rebuild_index(g)
    if script is not None:
        g.script = RandomScript(p, script)
    g.over, g.winners = check.outcome(state["outcome"])
    if g.over < 0:
        _restore_frames(p, g, check.frames(state["frames"], counters[GRANTED]))
    else:
        check_list(state["frames"], "frames", 0)
    if "log" in save:
        g.log = _restore_log(p, g, check, save)
    made = [decision_line(line, "decisions") for line in save["decisions"]]
    game = Game(p, g, save["seed"], options, script, made, save["numbers"], save["edited"])
    trial.refresh(g)
    for decision in game.decisions():  # whatever is asked can be shown
        assert decision.options or game.edited
    return game


def _restore_log(p: Program, g: State, check: SaveCheck, save: Saved) -> Log:
    log = Log(p)
    seen = table(save["seen"], "seen", ("moment", "blurred", "since"))
    log.moment = check_whole_number(seen["moment"], "seen.moment", 0, MOST)
    log.blurred = check.moments(seen["blurred"], "seen.blurred", len(p.piece_def))
    log.written = [Written(*row) for row in check.check_entries(save["log"], log.moment)]
    log.open = {moment: Begun(*row) for moment, row in check.begun(save["open"], log.moment).items()}
    slots = [] if g.over >= 0 else since_slots(g)
    for at, moment in zip(slots, check.moments(seen["since"], "seen.since", len(slots)), strict=True):
        g.slots[at] = moment
    return log


def _restore_frames(p: Program, g: State, frames: list[tuple[int, int, list[int]]]) -> None:
    live = p.live_slots()
    base = 0
    g.depth = 0
    g.abil = 0
    for at, (unit, pc, values) in enumerate(frames):
        u = p.units[unit]
        g.room(base + u.window)
        g.slots[base : base + u.window] = [-1] * u.window
        for i, value in zip(live.at(unit, pc), values, strict=True):
            g.slots[base + i] = value
        if u.ability:
            g.abil += 1
            event = g.frame_base(at - 1)
            g.slots[base + u.extras] = event
            g.slots[base + u.extras + 1] = event + p.units[g.frame_unit(at - 1)].extras
        g.unit, g.pc, g.base = unit, pc, base
        if at < len(frames) - 1:
            g.push_caller(pc)
        base += u.window
    g.waiting = True
