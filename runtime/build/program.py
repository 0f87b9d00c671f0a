"""A program: the tables and code of a package for one number of players and one set of options, with its names."""

from __future__ import annotations

from typing import Any, Final

from grimoire.runtime.artefact.loading import Package
from grimoire.runtime.kernel.base import NIL, VARS, Ability, Blind, Hook, Tables
from grimoire.runtime.build.code import CodeBuilder
from grimoire.runtime.errors import ArtefactError, BudgetExceeded, SetupError, engine_fault
from grimoire.runtime.build.forms import EXPRESSIONS, SELECTORS, Json, children, expressions_of, parts
from grimoire.runtime.artefact.arguments import shown
from grimoire.runtime.build.inlining import own_leaves
from grimoire.runtime.limits import LISTENER, MAX_INSTANCES
from grimoire.runtime.kernel.nodes import Function
from grimoire.runtime.build.scope import Scope
from grimoire.runtime.kernel.state import State
from grimoire.runtime.kernel.rng import stream_key

CURRENT: Final = "current-player"
PHASES: Final = ("cannot", "before", "instead", "after")


class Program:
    """Tables with the names that people, keys, views and saves use."""

    def __init__(
        self,
        package: Package,
        players: int,
        options: dict[str, int],
        track: bool = False,
        fuse: bool = True,
        quiet: bool = False,
    ) -> None:
        self.tables = t = Tables()
        self.package = package
        procs = [{**row, "body": own_leaves(row.get("body"), at)} for at, row in enumerate(package.document["procs"])]
        self.doc: dict[str, Any] = {**package.document, "procs": procs}
        self.option_values = options
        self.seats = t.seats = players
        t.orders = any(row["id"] == "abilities" and row["by"] == "current" for row in self.doc.get("order", []))
        self.piece_def, self.units = t.piece_def, t.units
        self.sees, self.sees_top = t.sees, t.sees_top
        self.outcomes: list[str] = []
        self.everyone = t.everyone = (1 << players) - 1
        self.tables.key = stream_key(f"package {package.id}")
        self.seat_names = [f"p{seat + 1}" for seat in range(players)]
        self.tables.places = [package.place(at) for at in range(len(self.doc["places"]))]
        self.zone_names: list[str] = []
        self.uncounted: set[int] = set()  # zones of which nobody is told how many pieces lie there
        self.piece_names: list[str] = []  # definition id # copy, for saves
        self.fixture_names = [row["id"] for row in self.doc["fixtures"]]
        self.definition_names = [row["id"] for row in self.doc["definitions"]]
        self.kind_numbers = {row["id"]: at for at, row in enumerate(self.doc["kinds"])}
        self.backs = [back_of(self.doc["kinds"], row["kind"]) for row in self.doc["definitions"]]
        self.tracked: list[str] = []  # what each counter counts
        self.live: object = None  # live slots, worked out when first saved
        self.sorts: object = None  # sorts of slots, worked out when something is dealt again
        self.asking: tuple[dict[int, str], dict[int, str]] | None = (
            None  # clauses of what asks, when somebody wants to know
        )
        self.settings: dict[int, set[int]] = {}  # slots of a procedure that others read
        self.arg_slots: set[int] = set()  # slots of events that abilities read
        self.builder = CodeBuilder(self.doc, t, players, options, track)
        self.builder.fuse = fuse
        self.builder.quiet = quiet
        self.quiet = quiet
        self.opened = False  # whether that was tried
        self.opening: State | None = None  # the state at the first decision, if chance has no part in it
        self._zones()
        self._pieces()
        self._columns()
        self._scan()
        self._number(track)
        self._abilities()
        self._code()

    # -- tables

    def _zones(self) -> None:
        builder = self.builder
        for row in self.doc["zones"]:
            builder.zone_base.append(len(self.zone_names))
            for seat in range(self.seats if row.get("each") else 1):
                owner = seat if row.get("each") else -1
                self._zone(f"{row['id']}.p{seat + 1}" if row.get("each") else row["id"], row, owner, -1)
        for at, row in enumerate(self.doc["fixtures"]):
            self.tables.fixture_zone.append(len(self.zone_names) if row.get("holds") else -1)
            if row.get("holds"):
                self._zone(row["id"], row, -1, at)

    def _zone(self, name: str, row: dict[str, Any], owner: int, fixture: int) -> None:
        seen = row.get("seen", "all")
        self.zone_names.append(name)
        self.tables.zones.append([])
        self.tables.holder.append(owner)
        self.tables.zone_fixture.append(fixture)
        self.tables.sees_top.append(seen == "top")
        if not row.get("counted", True):
            self.uncounted.add(len(self.zone_names) - 1)
        self.tables.tops = self.tables.tops or seen == "top"
        self.tables.sees.append(
            self.tables.everyone if seen == "all" else 1 << owner if seen == "owner" and owner >= 0 else 0
        )

    def _pieces(self) -> None:
        bare = State(self.tables, b"", None)
        for at, row in enumerate(self.doc["definitions"]):
            zone = row.get("start", -1)
            if zone < 0 or row.get("copies", 1) < 1:
                continue
            if row.get("when") is not None and not self.builder.expr(row["when"], Scope(8, 0)).test(bare, 0):
                continue
            for copy in range(row.get("copies", 1)):
                piece = len(self.tables.piece_def)
                self.tables.piece_def.append(at)
                self.piece_names.append(f"{row['id']}#{copy + 1}")
                self.tables.loc.append(self.builder.zone_base[zone])
                self.tables.zones[self.builder.zone_base[zone]].append(piece)
        self.tables.hooks = [[] for _ in self.tables.piece_def]
        self.builder.sizes.pieces = len(self.tables.piece_def)

    def _columns(self) -> None:
        builder = self.builder
        counts = {"seat": self.seats, "fixture": len(self.fixture_names), "piece": len(self.tables.piece_def)}
        self.tables.mem = [0] * VARS
        self.tables.mem[NIL] = -1
        for at, row in enumerate(self.doc["vars"]):
            self.tables.mem.append(self._as_played(row, row.get("init", 0)))
            if row["id"] == CURRENT:
                self.tables.current = VARS + at
        for row in self.doc["columns"]:
            printed = row.get("printed")
            if printed is not None:
                of_piece = row["of"] == "piece"
                values = [self._as_played(row, value) for value in printed]
                builder.printed.append([values[d] for d in self.tables.piece_def] if of_piece else values)
                builder.column_base.append(-1)
                continue
            builder.printed.append(None)
            builder.column_base.append(len(self.tables.mem))
            if row["of"] == "piece" and row.get("seen", "all") != "none":
                self.tables.piece_columns.append(len(self.tables.mem))
            self.tables.mem.extend([self._as_played(row, row.get("init", 0))] * counts[row["of"]])
        self.known = self.tables.known = len(self.tables.mem)
        for piece in range(len(self.tables.piece_def)):
            self.tables.mem.append(self.tables.sees[self.tables.loc[piece]])
        for zone, pieces in enumerate(self.tables.zones):
            if pieces and self.tables.sees_top[zone]:
                self.tables.mem[self.tables.known + pieces[-1]] = self.tables.everyone

    def _as_played(self, row: dict[str, Any], value: int) -> int:
        """A value of the artefact as the kernel has it: a zone is a row there, here the zones of all seats are counted."""
        if row.get("sort") != "zone" or value < 0:
            return value
        return self.builder.zone_base[value]

    # -- what the code refers to

    def _scan(self) -> None:
        """Find the procedures that need frames, and how many values each floating effect captures."""
        builder = self.builder
        self.captures: dict[tuple[str, int], int] = {}
        self._scanned = -1
        definitions = self.doc["definitions"]
        for at, row in enumerate(definitions):
            for name, proc in row.get("programs", {}).items():
                builder.programs.setdefault(name, [-1] * len(definitions))[at] = proc
                builder.bearers.add(proc)
        for at, row in enumerate(self.doc["procs"]):
            self._scanned = at
            self._scan_statement(row.get("body"))
        self._scanned = -1
        for row in self.doc["functions"]:
            self._scan_form(row["value"])
        for row in [*self.doc["abilities"], *self.doc["modifiers"]]:
            for name in ("cond", "asks", "might", "add", "set"):
                if row.get(name) is not None:
                    self._scan_form(row[name])
            limit = row.get("limit")
            if limit is not None and limit.get("per", -1) >= 0:
                builder.limited.add(limit["per"])
        for at, row in enumerate(self.doc["abilities"]):
            proc = row.get("proc", -1)
            builder.captures[proc] = max(builder.captures.get(proc, 0), self.captures.get(("abilities", at), 0))
        builder.framed |= builder.limited | builder.lasting
        self._calls()

    def _calls(self) -> None:
        """How many places call each procedure, and which ones can come back to themselves."""
        builder = self.builder
        calls = [called(row.get("body"), builder.programs) for row in self.doc["procs"]]
        for at, found in enumerate(calls):
            for proc in found:
                builder.callers[proc] = builder.callers.get(proc, 0) + 1
                builder.called_by.setdefault(proc, set()).add(at)
        for start in range(len(calls)):
            seen: set[int] = set()
            todo = list(calls[start])
            while todo:
                proc = todo.pop()
                if proc not in seen:
                    seen.add(proc)
                    todo.extend(calls[proc])
            if start in seen:
                builder.recursive.add(start)

    def _scan_statement(self, statement: Json) -> None:
        if isinstance(statement, dict):
            op = statement["op"]
            if op == "end":
                self.builder.outcomes.setdefault(statement["outcome"], len(self.builder.outcomes))
            elif op in ("do", "call"):
                proc = statement["verb"] if op == "do" else statement["proc"]
                self.builder.sites[proc] = self.builder.sites.get(proc, 0) + 1
            elif op in ("setting", "leave"):
                self._refer(statement["proc"])
                if op == "setting":
                    self.builder.changed.add((statement["proc"], statement["slot"]))
            elif op == "grant":
                if statement["until"] >= 0:
                    self.builder.lasting.add(statement["until"])
                for name in ("abilities", "modifiers"):
                    for which in statement[name]:
                        n = max(self.captures.get((name, which), 0), len(statement["captures"]))
                        self.captures[(name, which)] = n
        for form in expressions_of(statement):
            self._scan_form(form)
        for child in children(statement):
            self._scan_statement(child)

    def _refer(self, proc: int) -> None:
        """What is being scanned refers to the running frame of a procedure."""
        self.builder.framed.add(proc)
        self.builder.refers.setdefault(proc, set()).add(self._scanned)

    def _scan_form(self, form: Json) -> None:
        if isinstance(form, int) or (form[0] not in EXPRESSIONS and form[0] not in SELECTORS):
            return
        if form[0] in ("setting", "running"):
            self._refer(form[1])
        if form[0] == "setting":
            self.settings.setdefault(form[1], set()).add(form[2])
        elif form[0] == "arg":
            self.arg_slots.add(form[1])
        for code, part in parts(form):
            if code == "T":
                self._scan_statement(part)
            elif code in "eS":
                self._scan_form(part)

    def _number(self, track: bool) -> None:
        """Number statements, abilities and menu entries for counting."""
        if not track:
            return
        for row in self.doc["procs"]:
            self._number_statement(row.get("body"), row["id"])

    def _number_statement(self, statement: Json, name: str) -> None:
        if isinstance(statement, dict) and statement["op"] != "seq":
            builder = self.builder
            builder.statement_numbers[id(statement)] = len(self.tracked)
            self.tracked.append(f"{name} {statement['op']} {self.package.place(statement.get('at'))}".rstrip())
            if statement["op"] == "if":
                self.tracked += [f"{name} if so", f"{name} if not"]
            menu = statement["menu"] if statement["op"] == "poll" else statement
            if statement["op"] in ("menu", "poll"):
                for entry in menu["entries"]:
                    builder.entry_numbers[id(entry)] = len(self.tracked)
                    self.tracked.append(f"{name} entry {entry['id']}")
        for child in children(statement):
            self._number_statement(child, name)

    # -- abilities and modifiers

    def _abilities(self) -> None:
        builder = self.builder
        pieces: dict[int, list[int]] = {}
        for piece, definition in enumerate(self.tables.piece_def):
            pieces.setdefault(definition, []).append(piece)
        rows = self.doc["abilities"]
        for row in rows:
            if (row.get("of", -1) < 0 or row["of"] in pieces) and row["on"] not in builder.heard:
                builder.heard[row["on"]] = len(builder.heard) * 4
        keys = len(builder.heard) * 4
        for row in self.doc["modifiers"]:
            if (row.get("of", -1) < 0 or row["of"] in pieces) and row["col"] not in builder.modified:
                builder.modified[row["col"]] = keys
                keys += 1
        self._in_force: list[list[int]] = [[] for _ in range(keys)]
        self.tables.stamps = len(self.tables.mem)
        leads: dict[tuple[int, int], int] = {}
        for at, row in enumerate(rows):
            a = Ability(at, row["id"])
            a.label = row.get("label") or row["id"]
            a.of = row.get("of", -1)
            a.phase = PHASES.index(row["phase"])
            a.verb = row["on"]
            a.key = builder.heard.get(row["on"], -1) + a.phase if row["on"] in builder.heard else -1
            a.track = len(self.tracked)
            self.tracked.append(f"ability {row['id']}")
            self.tables.abilities.append(a)
            shares = row.get("shares", at)
            live = self._live(row.get("live"))
            for piece in [-1] if a.of == -1 else pieces.get(a.of, []):
                instance = len(self.tables.instance_ability)
                self._instance(instance, a.key, piece, live)
                leads[at, piece] = instance
                self.tables.instance_lead.append(leads.get((shares, piece), instance))
                self.tables.instance_ability.append(at)
                self.tables.instance_piece.append(piece)
        for at, row in enumerate(self.doc["modifiers"]):
            of = row.get("of", -1)
            live = self._live(row.get("live"))
            for piece in [-1] if of == -1 else pieces.get(of, []):
                self._instance(len(self.tables.mod_instance), builder.modified[row["col"]], piece, live)
                self.tables.mod_instance.append(at)
                self.tables.mod_piece.append(piece)
        if builder.track:
            builder.modifier_numbers = len(self.tracked)
        self.tracked += [f"modifier {at}" for at in range(len(self.doc["modifiers"]))]
        for a in self.tables.abilities:
            a.declined = len(self.tracked)
            self.tracked.append(f"declined {a.id}")
        self.tables.mem.extend([0] * len(self.tables.instance_ability))
        self.tables.index = [tuple(found) for found in self._in_force]
        self._blind()

    def _blind(self) -> None:
        """The optional abilities of which not everybody can see whether they may be used."""
        t = self.tables
        t.blind = [() for _ in t.index]
        by_ability: dict[int, list[int]] = {}
        for instance, at in enumerate(t.instance_ability):
            by_ability.setdefault(at, []).append(instance)
        for at, row in enumerate(self.doc["abilities"]):
            a = t.abilities[at]
            if a.key < 0 or "might" not in row or a.phase == 0 or not row.get("optional") or a.of == -2:
                continue
            a.blind = True
            unseen: list[list[int]] = []
            if a.of >= 0 and row.get("asks") is None:
                live = self._live(row.get("live"))
                own = [z for z in range(len(live)) if live[z] and t.holder[z] >= 0 and t.sees[z] != t.everyone]
                if own:
                    unseen = [[z for z in own if t.holder[z] == seat] for seat in range(self.seats)]
            t.blind[a.key] = (*t.blind[a.key], Blind(at, by_ability.get(at, []), unseen))

    def _instance(self, instance: int, key: int, piece: int, live: list[bool]) -> None:
        """Enter an instance into the index, or hook it to its piece."""
        if instance >= MAX_INSTANCES:
            raise BudgetExceeded(
                f"more than {MAX_INSTANCES:,} abilities or modifiers, one for every piece that bears one",
                "size",
                MAX_INSTANCES,
            )
        if piece < 0:
            self._in_force[key].append(instance)
            return
        hook = Hook(instance, key, live)
        self.tables.hooks[piece].append(hook)
        if hook.live[self.tables.loc[piece]]:
            self._in_force[key].append(instance)

    def _live(self, live: list[int] | None) -> list[bool]:
        zones = self.doc["zones"]
        if live is None:
            return [self.tables.sees[z] != 0 or self.tables.sees_top[z] for z in range(len(self.zone_names))]
        found = [False] * len(self.zone_names)
        for zone in live:
            if zone < len(zones):
                base = self.builder.zone_base[zone]
                for z in range(base, base + (self.seats if zones[zone].get("each") else 1)):
                    found[z] = True
            elif self.tables.fixture_zone[zone - len(zones)] >= 0:
                found[self.tables.fixture_zone[zone - len(zones)]] = True
        return found

    # -- code

    def _code(self) -> None:
        builder = self.builder
        if builder.quiet and builder.fuse:
            builder.abilities = {row.get("proc", -1) for row in self.doc["abilities"]}
            builder.unframe()
        self.tables.main = builder.call_unit(self.doc["main"]).index
        rows = self.doc["abilities"]
        touched = touching(rows)
        for at, a in enumerate(self.tables.abilities):
            row = rows[at]
            if a.key < 0:
                continue
            captures = self.captures.get(("abilities", at), 0)
            scope = builder.form_scope([row.get("cond"), row.get("asks"), row.get("might")], 2 + captures, True)
            a.might = None if row.get("might") is None else builder.expr(row["might"], scope)
            a.cond = None if row.get("cond") is None else builder.expr(row["cond"], scope)
            a.asks = None if row.get("asks") is None else builder.expr(row["asks"], scope)
            a.cond_window = scope.heard
            a.optional = bool(row.get("optional")) and a.phase != 0
            a.once = bool(row.get("once"))
            if row.get("ends") is not None:
                a.ends_before, a.ends_behind = row["ends"]
            a.place = -1 if row.get("at") is None else row["at"]
            if row.get("limit") is not None:
                a.limit = row["limit"]["n"]
                a.per = row["limit"].get("per", -1)
                a.later = bool(row["limit"].get("later"))
            if row.get("proc", -1) >= 0:
                a.unit = builder.ability_unit(row["proc"], a.label).index
            a.touches = touched[at]
        for at, row in enumerate(self.doc["modifiers"]):
            key = builder.modified.get(row["col"], -1)
            self.tables.modifiers.append(builder.modifier(at, key, self.captures.get(("modifiers", at), 0)))
        self._weights()
        for at in range(
            len(builder.functions)
        ):  # also those that only questions use: these must not add to the program
            builder.function(at)
        builder.build_queue()
        self.outcomes = [""] * len(builder.outcomes)
        for name, number in builder.outcomes.items():
            self.outcomes[number] = name

    def _weights(self) -> None:
        """The units of work of the conditions of abilities."""
        sizes = self.builder.sizes
        for row, a in zip(self.doc["abilities"], self.tables.abilities, strict=True):
            forms = [row[name] for name in ("cond", "asks", "might") if row.get(name) is not None]
            a.weight = sum(self.builder.bounded(sizes.form(form), form, a.label) for form in forms)
        for row in self.doc["modifiers"]:
            self.builder.bounded(sizes.modifiers(row["col"]), row.get("cond"), "a modifier")
        for found in self.tables.blind:
            total = 0
            for x in reversed(found):
                units = LISTENER + self.tables.abilities[x.ability].weight
                total += self.seats * units + len(x.instances) if x.zones else len(x.instances) * units
                x.weight = total

    # -- for others

    def function(self, at: int) -> Function:
        """A pure function by its number."""
        return self.builder.functions[at]

    def unit_of(self, proc: int) -> int:
        """The unit that starts a procedure from outside: the event of a verb, else a plain call."""
        row = self.doc["procs"][proc]
        unit = self.builder.event_unit(proc) if row.get("verb") else self.builder.call_unit(proc)
        self.builder.build_queue()
        return unit.index


def called(statement: Json, programs: dict[str, list[int]]) -> list[int]:
    """The procedures that a statement calls, one for each place."""
    found: list[int] = []
    if isinstance(statement, dict):
        op = statement.get("op", "menu")
        if op in ("do", "call"):
            found.append(statement["verb"] if op == "do" else statement["proc"])
        elif op == "program":
            found.extend(proc for proc in programs.get(statement["name"], []) if proc >= 0)
    for child in children(statement):
        found.extend(called(child, programs))
    return found


def touching(rows: list[dict[str, Any]]) -> list[int]:
    """For each ability those whose order with it can matter, as a mask: one writes what the other reads or writes."""
    readers: dict[str, int] = {}
    writers: dict[str, int] = {}
    for at, row in enumerate(rows):
        for name in row.get("reads") or []:
            readers[str(name)] = readers.get(str(name), 0) | 1 << at
        for name in row.get("writes") or []:
            writers[str(name)] = writers.get(str(name), 0) | 1 << at
    found: list[int] = []
    for row in rows:
        mask = 0
        for name in row.get("reads") or []:
            mask |= writers.get(str(name), 0)
        for name in row.get("writes") or []:
            mask |= writers[str(name)] | readers.get(str(name), 0)
        found.append(mask)
    return found


def program_for(
    package: Package, players: int, options: dict[str, Any], track: bool = False, quiet: bool = False, fuse: bool = True
) -> Program:
    """The program of a package for these players and options, built once; a quiet one keeps no log and is never saved.

    Without `fuse` it is built quickly and plays more slowly: for programs that are played a few times.
    """
    values = option_values(package, players, options)
    key = (players, tuple(values[row["id"]] for row in package.document["options"]), track, quiet)
    found = package.built.get(key)
    if isinstance(found, Program):
        return found
    try:
        program = Program(package, players, values, track, fuse=fuse, quiet=quiet)
    except RecursionError:
        raise ArtefactError("the artefact is nested too deeply") from None
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise engine_fault(f"building {package.id}", error) from error
    package.built[key] = program
    return program


def option_values(package: Package, players: int, options: dict[str, Any]) -> dict[str, int]:
    """The options as ints (flag 0/1, choice index), defaults filled in."""
    low, high = package.min_players, package.max_players
    if not isinstance(players, int) or isinstance(players, bool) or not low <= players <= high:
        counts = str(low) if low == high else f"{low} to {high}"
        raise SetupError(f"{package.id} is for {counts} players, not {shown(players)}")
    rows = {row["id"]: row for row in package.document["options"]}
    given = {name: value for name, value in options.items() if name != "players"}
    if options.get("players", players) != players:
        raise SetupError(f"the option players says {shown(options['players'])}, but the game has {players} players")
    for name in given:
        if name not in rows:
            there = ", ".join(_describe(row) for row in rows.values()) or "none"
            raise SetupError(f"unknown option {shown(name)}; the options of {package.id}: {there}")
    return {name: _value(row, given.get(name, row.get("default"))) for name, row in rows.items()}


def _describe(row: dict[str, Any]) -> str:
    return (
        f"{row['id']} (yes or no)" if row["sort"] == "flag" else f"{row['id']} ({', '.join(map(str, row['values']))})"
    )


def _value(row: dict[str, Any], value: Any) -> int:
    if row["sort"] == "flag":
        if value is None or value in (True, False, 0, 1):
            return int(bool(value))
        words = {"yes": 1, "true": 1, "on": 1, "no": 0, "false": 0, "off": 0}
        if isinstance(value, str) and value.lower() in words:
            return words[value.lower()]
    else:
        if value is None:
            return 0
        if value in row["values"] and not isinstance(value, bool):
            return int(row["values"].index(value))
        names = [str(x) for x in row["values"]]
        text = value if isinstance(value, str) else shown(value)
        if text in names:
            return names.index(text)
    raise SetupError(f"{shown(value)} is no value of the option {_describe(row)}")


def back_of(kinds: list[dict[str, Any]], kind: int) -> str | None:
    """The kind that the back of a piece tells, nearest first."""
    while kind >= 0:
        if kinds[kind].get("back"):
            return str(kinds[kind]["id"])
        kind = kinds[kind].get("is", -1)
    return None
