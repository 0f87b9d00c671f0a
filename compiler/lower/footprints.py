"""What procedures and abilities read and write, and what follows from it: the last pass over the lowered tables.

Footprints decide whether the order of two simultaneous abilities can matter. They are joined over everything that a statement calls and
over every ability that hears the events it proposes, and never too small. Names: `col:N`, `var:N`, `zone:N` (a zone or a family of
zones), `zone:board` (the zones of spaces), `setting:P:S`, `random`, `known` (who has seen what), `effects` (what lasts for a time),
`event` (the event that is heard: its arguments, its result, whether it happens), `flow` (procedures left early), `end`.

The same look at the tables takes out trials of what cannot fail, and gives every optional ability the condition that it can be started.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from grimoire.compiler.declare.model import Expr, Stmt

Table = list[dict[str, Any]]
_BOARD = "zone:board"
_NOTHING: Stmt = {"op": "seq", "body": []}


class Print:
    """The footprint of one procedure or ability."""

    __slots__ = ("programs", "reads", "verbs", "writes")

    def __init__(self) -> None:
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        self.verbs: set[int] = set()  # procedures called or proposed
        self.programs: set[str] = set()

    def join(self, other: Print) -> None:
        """Take in another footprint."""
        self.reads |= other.reads
        self.writes |= other.writes
        self.verbs |= other.verbs

    def mask(self, names: dict[tuple[str, Any], int]) -> int:
        """The whole as one number; `names` says which bit is whose, and grows."""
        found = 0
        for sort, members in (("reads", self.reads), ("writes", self.writes), ("verbs", self.verbs)):
            for name in members:
                found |= 1 << names.setdefault((sort, name), len(names))
        return found

    def take(self, other: Print) -> None:
        """Read, write and call what another one does, which has all of this one."""
        self.reads, self.writes, self.verbs = set(other.reads), set(other.writes), set(other.verbs)


def _named(mask: int, names: list[tuple[str, Any]]) -> Print:
    made = Print()
    sets: dict[str, set[Any]] = {"reads": made.reads, "writes": made.writes, "verbs": made.verbs}
    while mask:
        low = mask & -mask
        sort, name = names[low.bit_length() - 1]
        sets[sort].add(name)
        mask ^= low
    return made


class Footprints:
    """The footprints of a whole set of tables."""

    def __init__(
        self,
        procs: Table,
        abilities: Table,
        modifiers: Table,
        programs: dict[str, list[int]],
        zones: int,
        functions: Table,
    ) -> None:
        self.procs = procs
        self.abilities = abilities
        self.modifiers = modifiers
        self.functions = functions
        self.programs = programs
        self.every_zone = {f"zone:{z}" for z in range(zones)} | {_BOARD}
        self.changes: dict[int, set[str]] = {}  # column -> what its modifiers read
        for modifier in modifiers:
            own = Print()
            for key in ("cond", "add", "set"):
                if modifier.get(key) is not None:
                    self.expression(modifier[key], own, {})
            self.changes.setdefault(modifier["col"], set()).update(own.reads | {"effects"})
        self.hearing: dict[int, list[int]] = {}
        for i, ability in enumerate(abilities):
            self.hearing.setdefault(ability["on"], []).append(i)
        self.of_proc: list[Print] = []
        for proc in procs:
            own = Print()
            self.statement(proc.get("body") or _NOTHING, own, {})
            self.of_proc.append(own)
        self.direct = [(set(own.writes), set(own.programs)) for own in self.of_proc]
        self.of_ability: list[Print] = []
        for ability in abilities:
            own = Print()
            for key in ("cond", "asks"):
                if ability.get(key) is not None:
                    self.expression(ability[key], own, {})
            self.of_ability.append(own)
        self.settle()

    def settle(self) -> None:
        """Join what calls what until nothing changes: what is read, written and called is one number for each, a bit for each name."""
        nodes = [*self.of_proc, *self.of_ability]
        first = len(self.of_proc)
        names: dict[tuple[str, Any], int] = {}
        whole = [own.mask(names) for own in nodes]
        after = {verb: [first + i for i in heard] for verb, heard in self.hearing.items()}
        edges: list[list[int]] = []
        for own in nodes:
            found = {proc for name in own.programs for proc in self.programs.get(name, ())}
            for verb in own.verbs:
                found.add(verb)
                found.update(after.get(verb, ()))
            edges.append(sorted(found))
        for i, ability in enumerate(self.abilities):
            if ability["proc"] >= 0:
                edges[first + i].append(ability["proc"])
        changed = True
        while changed:
            changed = False
            for at in range(len(nodes) - 1, -1, -1):
                mask = before = whole[at]
                for to in edges[at]:
                    mask |= whole[to]
                if mask != before:
                    whole[at] = mask
                    changed = True
        known: dict[int, Print] = {}
        listed = list(names)
        for own, mask in zip(nodes, whole, strict=True):
            if mask not in known:
                known[mask] = _named(mask, listed)
            own.take(known[mask])

    def own_writes(self) -> list[set[str]]:
        """What each verb changes by its own text and by the card texts that it resolves; nothing for what is no verb."""
        found: list[set[str]] = []
        for proc, (writes, programs) in zip(self.procs, self.direct, strict=True):
            whole = set(writes)
            for name in programs:
                for program in self.programs.get(name, ()):
                    whole |= self.direct[program][0]
            found.append(whole if proc.get("verb") else set())
        return found

    # ------------------------------------------------------------ expressions and selectors

    def zones_of(self, expr: Expr) -> set[str]:
        if expr[0] in ("zone", "zfam"):
            return {f"zone:{expr[1]}"}
        if expr[0] == "zfix":
            return {_BOARD}
        if expr[0] == "at":
            return self.zones_of(expr[2])
        if expr[0] == "if":
            return self.zones_of(expr[2]) | self.zones_of(expr[3])
        return set(self.every_zone)

    def expression(self, expr: Any, own: Print, slots: dict[int, set[str]]) -> None:
        if not isinstance(expr, list) or not expr:
            return
        op = expr[0]
        if op == "var":
            own.reads.add(f"var:{expr[1]}")
        elif op in ("col", "attr"):
            own.reads.add(f"col:{expr[1]}")
            if op == "attr":
                own.reads |= self.changes.get(expr[1], set())
        elif op in ("zone*", "height", "top", "top*"):
            own.reads |= self.zones_of(expr[1])
        elif op in ("pieces", "where"):
            own.reads |= self.every_zone
        elif op in ("setting",):
            own.reads.add(f"setting:{expr[1]}:{expr[2]}")
        elif op in ("arg", "result"):
            own.reads.add("event")
        elif op == "fn":
            self.expression(self.functions[expr[1]]["value"], own, slots)
        elif op == "running":
            own.reads.add("flow")
        elif op == "allowed":
            own.reads.add("effects")
        elif op == "can":
            inner = Print()
            self.statement(expr[1], inner, dict(slots))
            own.reads |= inner.reads | inner.writes
            own.verbs |= inner.verbs
            own.programs |= inner.programs
            return
        for part in expr[1:]:
            if isinstance(part, list):
                self.expression(part, own, slots)

    def source(self, sel: Expr) -> set[str]:
        """The zones that the pieces of a selector lie in."""
        if sel[0] in ("filter", "except"):
            return self.source(sel[1])
        if sel[0] in ("best", "take"):
            return self.source(sel[2])
        if sel[0] in ("zone*", "top*"):
            return self.zones_of(sel[1])
        if sel[0] == "cat":
            found: set[str] = set()
            for part in sel[1:]:
                found |= self.source(part)
            return found
        if sel[0] == "lone" and sel[1][0] == "top":
            return self.zones_of(sel[1][1])
        return set(self.every_zone)

    # ------------------------------------------------------------ statements

    def statement(self, stmt: Stmt, own: Print, slots: dict[int, set[str]]) -> None:
        op = stmt["op"]
        for key, value in stmt.items():
            if key in ("value", "of", "cond", "times", "piece", "to", "zone", "from", "in", "who", "what", "seat", "low", "high",
                       "constraint", "you", "winners", "seats"):  # fmt: skip
                self.expression(value, own, slots)
            elif key in ("args", "captures"):
                for part in value:
                    self.expression(part, own, slots)
        if op in ("foreach", "random", "choose"):
            slots[stmt["slot"]] = self.source(stmt["from" if op == "random" else "in"])
        if op == "setvar":
            own.writes.add(f"var:{stmt['var']}")
        elif op == "setcol":
            own.writes.add(f"col:{stmt['col']}")
        elif op == "setting":
            own.writes.add(f"setting:{stmt['proc']}:{stmt['slot']}")
        elif op == "move":
            self.moved(stmt, own, slots)
        elif op == "shuffle":
            own.writes |= {"random", *self.zones_of(stmt["zone"])}
        elif op == "random":
            own.writes.add("random")
        elif op == "look":
            own.writes.add("known")
        elif op in ("do", "call"):
            own.verbs.add(stmt["verb" if op == "do" else "proc"])
            own.reads.add("effects")
        elif op == "program":
            own.programs.add(stmt["name"])
        elif op in ("cancel", "setarg", "setresult"):
            own.writes.add("event")
        elif op == "leave":
            own.writes.add("flow")
        elif op == "end":
            own.writes.add("end")
        elif op == "grant":
            own.writes.add("effects")
            for i in stmt["modifiers"]:
                own.writes.add(f"col:{self.modifiers[i]['col']}")
        for key in ("body", "then", "else", "cost", "otherwise"):
            inner = stmt.get(key)
            for part in inner if isinstance(inner, list) else [inner] if isinstance(inner, dict) else []:
                self.statement(part, own, slots)
        for menu in (stmt if op == "menu" else None, stmt.get("menu")):
            if menu is not None:
                self.menu(menu, own, slots)

    def menu(self, menu: Stmt, own: Print, slots: dict[int, set[str]]) -> None:
        self.expression(menu["seat"], own, slots)
        for entry in menu["entries"]:
            self.expression(entry["guard"], own, slots)
            for domain in entry["domains"]:
                self.expression(domain["in"], own, slots)
                slots[domain["slot"]] = self.source(domain["in"])
            if entry["body"] is not None:
                self.statement(entry["body"], own, slots)
        if menu.get("otherwise") is not None:
            self.statement(menu["otherwise"], own, slots)

    def moved(self, stmt: Stmt, own: Print, slots: dict[int, set[str]]) -> None:
        piece = stmt["piece"]
        if piece == ["int", -1]:
            return
        own.writes |= self.zones_of(stmt["to"])
        if piece[0] == "top":
            own.writes |= self.zones_of(piece[1])
        elif piece[0] == "slot" and piece[1] in slots:
            own.writes |= slots[piece[1]]
        else:
            own.writes |= self.every_zone

    # ------------------------------------------------------------ what cannot fail

    def reach(self, stmt: Stmt) -> set[int]:
        """Every event that a statement may lead to."""
        own = Print()
        self.statement(stmt, own, {})
        found: set[int] = set()
        stack = [*own.verbs, *(p for name in own.programs for p in self.programs.get(name, ()))]
        while stack:
            verb = stack.pop()
            if verb in found:
                continue
            found.add(verb)
            stack.extend(self.of_proc[verb].verbs)
            for i in self.hearing.get(verb, ()):
                stack.extend(self.of_ability[i].verbs)
        return found


class Certain:
    """Which statements are always carried out in full, so that nobody needs to try them first."""

    def __init__(self, prints: Footprints, bounded: Callable[[Stmt], bool]) -> None:
        self.prints = prints
        self.bounded = bounded
        self.known: dict[int, bool] = {}

    def proc(self, index: int) -> bool:
        found = self.known.get(index)
        if found is None:
            self.known[index] = False  # a procedure that calls itself is tried
            found = self.known[index] = self.stmt(self.prints.procs[index].get("body") or _NOTHING)
        return found

    def stmt(self, stmt: Stmt | None) -> bool:
        if stmt is None:
            return True
        op = stmt["op"]
        if op in ("let", "setting", "shuffle", "look", "random", "grant", "cancel", "setarg", "setresult"):
            return True
        if op in ("setvar", "setcol"):
            return not self.bounded(stmt)
        if op == "move":
            return bool(stmt["piece"][0] == "slot")
        if op == "seq":
            return all(self.stmt(part) for part in stmt["body"])
        if op in ("if", "foreach"):
            return all(self.stmt(stmt.get(key)) for key in ("then", "else", "body"))
        if op == "repeat":
            return stmt.get("times") is not None and self.stmt(stmt["body"])
        if op == "do":
            heard = [self.prints.abilities[i]["phase"] for i in self.prints.hearing.get(stmt["verb"], ())]
            return all(phase == "after" for phase in heard) and self.proc(stmt["verb"])
        return False

    # ------------------------------------------------------------ simpler tables

    def simpler(self, node: Any) -> Any:
        """The same statement or expression without trials that always succeed."""
        if isinstance(node, dict):
            made = {
                key: self.simpler(value) if isinstance(value, dict | list) else value for key, value in node.items()
            }
            if made.get("op") == "if" and made["cond"] == ["int", 1] and "clause" not in made:
                return made["then"]
            return made
        if not isinstance(node, list):
            return node
        if node and node[0] == "can" and isinstance(node[1], dict) and self.stmt(node[1]):
            return ["int", 1]
        made_list = [self.simpler(part) if isinstance(part, dict | list) else part for part in node]
        if made_list and made_list[0] == "filter" and made_list[3] == ["int", 1]:
            return made_list[1]
        if made_list and made_list[0] == "and":
            return both(made_list[1:])
        return made_list


class Secret:
    """What only some seats see: who is asked about an ability must not tell it."""

    def __init__(self, zones: Iterable[int], kinds: Iterable[int], columns: Iterable[int]) -> None:
        self.zones = {f"zone:{zone}" for zone in zones}  # those that only their owner sees into
        self.numbers = set(zones)
        self.kinds = set(kinds)  # kinds of which pieces may lie there
        self.columns = {f"col:{column}" for column in columns}  # states that only their owner sees

    def note(self, ability: dict[str, Any], prints: Footprints) -> None:
        """Give the ability what all can see of its condition, where that is not all of it."""
        parts = conjuncts(ability["cond"])
        open_ = [part for part in parts if not self.reads(part, prints)]
        live = ability.get("live")
        hidden = (
            ability["of"] >= 0 and (live is None or any(zone in self.numbers for zone in live)) and bool(self.zones)
        )
        if hidden or len(open_) < len(parts):
            ability["might"] = both(open_) if open_ else None

    def reads(self, expr: Any, prints: Footprints) -> bool:
        """Whether an expression tells what lies in a secret place (how many pieces is no secret)."""
        if not isinstance(expr, list) or not expr:
            return False
        op = expr[0]
        if op == "can":
            own = Print()
            prints.expression(expr, own, {})
            for verb in tuple(own.verbs):
                own.join(prints.of_proc[verb])
            for name in own.programs:
                for proc in prints.programs.get(name, ()):
                    own.join(prints.of_proc[proc])
            return bool((own.reads | own.writes) & (self.zones | self.columns))
        if op == "fn" and self.reads(prints.functions[expr[1]]["value"], prints):
            return True
        if op in ("zone*", "top*", "top"):
            return bool(prints.zones_of(expr[1]) & self.zones)
        if op in ("count", "any") and expr[1][0] == "zone*":
            return False
        if op == "pieces":
            return expr[1] in self.kinds
        if op == "where":
            return True
        if op in ("fixof", "holder") and isinstance(expr[1], list) and expr[1][0] == "where":
            return self.reads(expr[1][1], prints)
        if op in ("col", "attr") and f"col:{expr[1]}" in self.columns:
            return True
        return any(self.reads(part, prints) for part in expr[1:])


def both(parts: list[Expr]) -> Expr:
    flat: list[Expr] = []
    for part in parts:
        if part == ["int", 1]:
            continue
        flat.extend(part[1:] if part[0] == "and" else [part])
    if not flat:
        return ["int", 1]
    return flat[0] if len(flat) == 1 else ["and", *flat]


def conjuncts(cond: Expr | None) -> list[Expr]:
    if cond is None:
        return []
    return list(cond[1:]) if cond[0] == "and" else [cond]


def has_trial(node: Any) -> bool:
    """Whether a statement or expression holds a trial."""
    if isinstance(node, dict):
        return any(has_trial(value) for value in node.values() if isinstance(value, dict | list))
    if isinstance(node, list):
        return (bool(node) and node[0] == "can") or any(
            has_trial(part) for part in node if isinstance(part, dict | list)
        )
    return False


def finish(
    procs: Table, abilities: Table, modifiers: Table, functions: Table, programs: dict[str, list[int]], zones: int, bounded: Callable[[Stmt], bool],
    guarded: Iterable[tuple[dict[str, Any], Expr, Expr | None]], secret: Secret,
) -> Footprints:  # fmt: skip
    """Close the tables: conditions of optional abilities, needless trials, footprints, which it gives."""
    prints = Footprints(procs, abilities, modifiers, programs, zones, functions)
    for ability, guard, cheap in guarded:
        if has_trial(guard) and loops(guard, ability["on"], prints):
            if cheap is None or has_trial(cheap):
                continue
            guard = cheap  # trying the cost would ask for this very ability again
        cond = ability["cond"]
        ability["cond"] = guard if cond is None else both([cond, guard])
    for ability in abilities:
        if ability["optional"]:
            secret.note(ability, prints)
    certain = Certain(prints, bounded)
    for row in (*procs, *abilities):
        for key in ("body", "cond"):
            if row.get(key) is not None and has_trial(row[key]):
                row[key] = certain.simpler(row[key])
                if row[key] == ["int", 1]:
                    row[key] = None
    prints = Footprints(procs, abilities, modifiers, programs, zones, functions)
    for ability, own in zip(abilities, prints.of_ability, strict=True):
        ability["reads"] = sorted(own.reads)
        ability["writes"] = sorted(own.writes)
    return prints


def loops(node: Any, verb: int, prints: Footprints) -> bool:
    """Whether a trial inside an expression leads to an event."""
    if isinstance(node, list):
        if node and node[0] == "can" and verb in prints.reach(node[1]):
            return True
        return any(loops(part, verb, prints) for part in node if isinstance(part, list))
    return False
