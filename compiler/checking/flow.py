"""Check the flow of a package: unreachable statements, endless loops and triggers, kinds without members, unread
declarations.

In: a model with parsed texts, and after lowering what was used. Out: diagnostics only. Names and types are checked by
the lowering.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from grimoire.compiler.declare.model import Definition, PackageModel, Spanned, Text, Thing, Verb
from grimoire.compiler.diagnostics import codes_flow as _codes  # noqa: F401  (registers what is emitted here)
from grimoire.compiler.diagnostics.report import Diagnostics, Span, is_one_letter_off
from grimoire.compiler.lower.context import Context
from grimoire.compiler.lower.least_work import LeastWork
from grimoire.compiler.lower.most_work import MostWork
from grimoire.compiler.lower.output import LoweredUnit, NewAbility
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.compiler.source.manifest import Manifest
from grimoire.compiler.source.positions import effect_position
from grimoire.compiler.source.tree import Scalar
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import statements as st
from grimoire.runtime.core.records import Expression, Statement
from grimoire.runtime.core.walk import walk as walk_records
from grimoire.runtime.limits import MAX_WORK

_WORD = re.compile(r"[a-z][a-z0-9-]*")
_LEAVES = ("stop", "conclude", "end")
_FIRST_BRANCHES = ("if", "either")
_MORE_BRANCHES = ("otherwise", "otherwise_if", "or")
_BUILT_IN_COUNTERS = ("current-player", "first-player")


class Flow:
    """One look at each text, and one at the whole."""

    def __init__(self, model: PackageModel, diags: Diagnostics) -> None:
        self.model = model
        self.diags = diags
        self.members = self.count_members()
        self.parameters = {p.name for v in model.verbs.values() for p in v.params}

    # ------------------------------------------------------------ one text

    def text(self, text: Text) -> None:
        if not text.ok or text.node is None:
            return
        stack: list[tuple[object, ...]] = [text.node]
        while stack:
            node = stack.pop()
            if type(node) is s.Block:
                self.block(node, text)
            elif type(node) is s.Compare:
                self.compare(node, text)
            elif type(node) is s.Gated:
                self.check_gated(node, text)
            elif type(node) is s.Noun or type(node) is s.Counted:
                self.noun(node, text)
            elif type(node) is s.Either:
                self.either(node, text)
            stack.extend([part for part in node if isinstance(part, tuple)])

    def check_gated(self, node: s.Gated, text: Text) -> None:
        if node.gate.kind == "repeat" and node.gate.amount is None and node.gate.condition is None:
            self.loop(node, text)

    def report(self, code: str, text: Text, node: object, message: str, hint: str | None = None) -> None:
        found = s.extent(node)
        scalar = text.scalar
        if found is None:
            span = scalar.span
        else:
            first, last = found
            line, column = effect_position(scalar, first.line or 1, first.column or 1)
            end_line, end = effect_position(scalar, last.end_line or 1, (last.end_column or 2) - 1)
            span = Span(text.file, line, column, end_line, end + 1)
        self.diags.add(code, span, message, hint)

    def block(self, block: s.Block, text: Text) -> None:
        for line, after in zip(block.statements, block.statements[1:], strict=False):
            action = line.statement.action if isinstance(line.statement, s.Act) else None
            if (
                action is None
                or str(action.verb) not in _LEAVES
                or (isinstance(line.statement, s.Act) and line.statement.modal)
            ):
                continue
            if str(action.verb) in self.model.verbs:
                continue
            gate = after.statement.gate if isinstance(after.statement, s.Gated) else None
            if gate is None or gate.kind not in ("otherwise", "otherwise_if", "or"):
                self.report(
                    "G0702",
                    text,
                    after,
                    f'this is never reached: "{action.verb}" above leaves',
                    "take it out, or put it before",
                )

        self.branches(block, text)

    def branches(self, block: s.Block, text: Text) -> None:
        """Options below each other, and what follows when a condition holds or does not hold."""
        seen: list[s.Statement] = []
        for line in block.statements:
            gate = line.statement.gate if isinstance(line.statement, s.Gated) else None
            if gate is None or gate.kind not in (*_FIRST_BRANCHES, *_MORE_BRANCHES):
                seen = []
                continue
            assert isinstance(line.statement, s.Gated)
            if gate.kind in _FIRST_BRANCHES:
                seen = [line.statement.body]
            elif seen and gate.kind == "otherwise" and seen[-1] == line.statement.body:
                hint = "take the condition out, or say something else here"
                self.report("G0712", text, line.statement.body, "the same happens if the condition holds", hint)
            elif gate.kind == "or" and line.statement.body in seen:
                self.report("G0712", text, line.statement.body, "this option is there already", "leave one out")
            seen.append(line.statement.body)

    def either(self, node: s.Either, text: Text) -> None:
        for at, option in enumerate(node.options):
            if option in node.options[:at]:
                self.report("G0712", text, option, "this option is there already", "leave one out")

    def compare(self, node: s.Compare, text: Text) -> None:
        if isinstance(node.left, s.Number) and isinstance(node.right, s.Number):
            a, b, op = int(node.left.value), int(node.right.value), str(node.op)
            result = {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
            self.report(
                "G0702",
                text,
                node,
                f"this is always {'true' if result else 'false'}",
                "compare something that can change",
            )

    def loop(self, node: s.Gated, text: Text) -> None:
        if not any(isinstance(part, (s.Act, s.Either, s.Pay)) for part in walk(node.body)):
            self.report(
                "G0707",
                text,
                node.gate.word,
                "this loop never ends: nothing in it acts or stops",
                "say repeat N times, or stop",
            )

    def noun(self, node: s.Noun | s.Counted, text: Text) -> None:
        word = node.words[-1]
        kind = self.kind_words.get(str(word))
        if kind is not None and self.members[kind] == 0 and str(word) not in self.parameters:
            self.report("G0703", text, word, f"there is no {kind} in this package", "declare one, or name another kind")

    def count_members(self) -> dict[str, int]:
        model = self.model
        count = dict.fromkeys(model.kinds, 0)
        direct: dict[str, int] = {}
        for kind in [d.kind for d in model.definitions.values()] + [t.kind for t in model.things.values()]:
            direct[kind] = direct.get(kind, 0) + 1
        for kind, members in direct.items():
            for ancestor in model.ancestors(kind):
                count[ancestor] += members
        for kind, declared in model.kinds.items():
            if declared.sort == "seat" or declared.package == "" or declared.names is not None:
                count[kind] = max(count[kind], 1)
        for declared in model.kinds.values():
            if declared.names is not None:
                count[declared.names] = max(count[declared.names], 1)
        self.kind_words = {word: k.id for k in model.kinds.values() for word in (k.id, k.plural)}
        return count

    # ------------------------------------------------------------ the whole

    def endless_triggers(self, units: Iterable[LoweredUnit], verbs: list[Verb]) -> None:
        """Forced abilities without condition or limit that lead, unconditionally, back to the event they hear."""
        always: dict[int, set[int]] = {}
        triggers: dict[int, list[tuple[str, set[int]]]] = {}  # by event: the ability, and what it surely leads to
        for unit in units:
            if unit.verb is not None:
                always[unit.verb[0]] = _certain(unit.verb[1].body)
            elif unit.name.startswith("rule:"):
                for event, leads in list_forced_triggers(unit):
                    triggers.setdefault(event, []).append((unit.name.removeprefix("rule:"), leads))
        reported: set[int] = set()
        for start in sorted(triggers):
            seen: set[int] = set()
            stack = [event for _, leads in triggers[start] for event in leads]
            while stack:
                event = stack.pop()
                if event in seen:
                    continue
                seen.add(event)
                stack.extend(always[event])
                for _, leads in triggers.get(event, ()):
                    stack.extend(leads)
            if start in seen and start not in reported:
                reported.add(start)
                label = triggers[start][0][0]
                ability_ = self.model.abilities.get(label)
                span = ability_.span if ability_ is not None else verbs[start].span
                message = f'{label} triggers itself without end: it follows "{verbs[start].id}" and leads to it again'
                self.diags.add("G0707", span, message, "add only:, limit:, a choice, or another event")

    def endless_calls(self, units: Iterable[LoweredUnit], verbs: list[Verb], stoppable: Collection[int]) -> None:
        """Verbs and procedures whose text leads back into them whatever happens."""
        always = {unit.verb[0]: _certain(unit.verb[1].body) for unit in units if unit.verb is not None}
        told: set[int] = set()
        sure = {verb for verb in always if verb not in stoppable and verbs[verb].only is None}
        always = {verb: leads & sure for verb, leads in always.items()}
        for start in sorted(always):
            seen = _follow(always, start)
            if start in seen and start not in told:
                told |= seen
                by = [verbs[verb].id for verb in sorted(seen) if start in _follow(always, verb) and verb != start]
                message = f"{verbs[start].id} always leads into itself" + (f", by {', '.join(by)}" if by else "")
                self.diags.add("G0707", verbs[start].span, message, "say repeat: .., or put it under a condition")

    def measure_work(self, units: Iterable[LoweredUnit], verbs: list[Verb], vocabulary: Vocabulary) -> None:
        """Verbs and procedures that no decision is long enough for: verbs that say others twice, loops in loops."""
        bodies = {
            unit.verb[0]: unit.verb[1].body for unit in units if unit.verb is not None and unit.verb[1].body is not None
        }
        unsure = frozenset(vocabulary.stoppable) | {at for at, verb in enumerate(verbs) if verb.only is not None}
        work = LeastWork(bodies, unsure)
        for at in sorted(bodies):
            steps = work.count_verb(at)
            if steps > MAX_WORK and not any(work.count_verb(other) > MAX_WORK for other in _certain(bodies[at])):
                message = f"{verbs[at].id} takes {steps:,} steps or more: a decision has {MAX_WORK:,} at most"
                self.diags.add("G0707", verbs[at].span, message, "repeat it less often, or let a player decide between")

        self.measure_most_work(bodies, verbs, work, vocabulary)

    def measure_most_work(
        self, bodies: Mapping[int, Statement], verbs: list[Verb], least: LeastWork, vocabulary: Vocabulary
    ) -> None:
        """Verbs that may take more with what they call; what one text alone may take is told where it is lowered."""
        context = Context(vocabulary, Diagnostics(), quiet=True)
        alone, most = MostWork(context), MostWork(context, bodies)
        large = {at for at in sorted(bodies) if most.count_verb(at) > MAX_WORK}
        for at in sorted(large):
            called = {part.verb for part in walk_records(bodies[at]) if isinstance(part, st.Propose)}
            if called & large or alone.count(bodies[at]) > MAX_WORK or least.count_verb(at) > MAX_WORK:
                continue
            message = (
                f"{verbs[at].id} may take {most.count_verb(at):,} steps with what it calls, and no decision has more "
                f"than {MAX_WORK:,}"
            )
            self.diags.add("G0724", verbs[at].span, message, "call it less often, or go through fewer")

    def check_package(self, manifest: Manifest, players: tuple[int, int] | None) -> None:
        """What a package needs in order to be played at all."""
        place = manifest.span("package")
        if "game" not in self.model.verbs:
            said, hint = "the package has no procedure called game", "procedures: {game: ..} is where play starts"
            procedures = [verb.id for verb in self.model.verbs.values() if verb.procedure]
            near = next((name for name in procedures if is_one_letter_off(name, "game")), None)
            if near is not None:
                place, said, hint = self.model.verbs[near].span, f"{said}: did {near} mean game?", "write game"
            self.diags.add("G0219", place, said, hint)
        if players is None and "players" not in manifest.broken:
            self.diags.add(
                "G0708", place, "the package does not say for how many players it is", "players: 2, or players: 2-4"
            )

    def unread(self, words: Collection[str], starts: Collection[str | None], package: str) -> None:
        """Declarations of the package itself whose word stands in no text; `starts` are zones that are used
        otherwise."""
        model = self.model
        asked = asked_options(model)
        groups: list[tuple[str, Mapping[str, Spanned]]] = [
            ("verb", {k: v for k, v in model.verbs.items() if not v.procedure and v.package == package}),
            (
                "procedure",
                {k: v for k, v in model.verbs.items() if v.procedure and k != "game" and v.package == package},
            ),
            ("zone", model.zones),
            ("counter", {k: v for k, v in model.counters.items() if k not in _BUILT_IN_COUNTERS}),
            ("option", {k: v for k, v in model.options.items() if k not in asked}),
            ("term", {k: v.scalar for k, v in model.terms.items()}),
        ]
        groups.append(("outcome", {k: v for k, v in model.things.items() if v.kind == "outcome"}))
        for what, table in groups:
            for name, declared in table.items():
                participle = getattr(declared, "done", None)
                if name in words or name in starts or (participle is not None and participle in words):
                    continue
                self.diags.add(
                    "G0704",
                    declared.span,
                    f'the {what} "{name}" is declared and nothing uses it',
                    "use it, or take it out",
                )
        lent = {kind.names for kind in model.kinds.values() if kind.lends is not None}
        for kind in model.kinds.values():
            if kind.package not in (package, ""):
                continue
            for field in kind.fields.values():
                if field.name not in words and (field.type.kind is None or field.type.kind not in lent):
                    self.diags.add(
                        "G0704", field.span, f"nothing reads the {field.name} of a {kind.id}", "use it, or take it out"
                    )
            for name, text in [*kind.adjectives.items(), *kind.derived.items()]:
                if name not in words and text is not kind.place:
                    self.diags.add(
                        "G0704", text.scalar.span, f'nothing says "{name}" of a {kind.id}', "use it, or take it out"
                    )


def asked_options(model: PackageModel) -> set[str]:
    """The options that bring spaces, zones, things, cards or ways."""
    ways = [when for relation in model.relations for whens in relation.only.values() for when in whens]
    tables = (model.things.values(), model.zones.values(), model.definitions.values())
    return {option for when in [one.when for table in tables for one in table] + ways for option, _ in when}


def start_zones(model: PackageModel) -> set[str | None]:
    """Zones in which cards start, and those that stand on things or cards: `deck: north-deck`."""
    found: set[str | None] = {d.zone for d in model.definitions.values()}
    owners: list[Thing | Definition] = [*model.things.values(), *model.definitions.values()]
    for owner in owners:
        for name, node in owner.values.items():
            field = model.field(owner.kind, name)
            if field is not None and field.type.sort == "zone" and isinstance(node, Scalar):
                found.add(node.value)
    return found


def list_forced_triggers(unit: LoweredUnit) -> Iterator[tuple[int, set[int]]]:
    """The events that a rule of the game answers whatever happens, each with the events to which the answer surely
    leads."""
    procs = unit.procedures()
    for entry in unit.log:
        row = entry.row if isinstance(entry, NewAbility) else None
        if row is None or row.of != -1 or row.phase not in ("before", "after"):
            continue
        if row.cond is None and not row.optional and row.limit is None and not row.once:
            yield row.on, _certain(procs[row.proc - unit.first_proc].body)


def words_of(texts: Iterable[Text]) -> set[str]:
    """All words of these texts, without parsing them."""
    found: set[str] = set()
    for text in texts:
        found.update(_WORD.findall(text.text))
    return found


def walk(node: object) -> Iterator[tuple[object, ...]]:
    """All nodes of a syntax tree, outside in."""
    if isinstance(node, tuple):
        yield node
        for part in node:
            if isinstance(part, tuple) and not isinstance(part, Token):
                yield from walk(part)


def _certain(stmt: Statement | None) -> set[int]:
    """The events that a statement proposes whatever happens."""
    if isinstance(stmt, st.Sequence):
        out: set[int] = set()
        for part in stmt.body:
            out |= _certain(part)
            leaves = isinstance(part, st.EndGame)
            if leaves or any(isinstance(inner, (st.Stop, st.Leave, st.Return)) for inner in walk_records(part)):
                break
        return out
    if isinstance(stmt, st.If):
        return _certain(stmt.then) & _certain(stmt.else_)
    if isinstance(stmt, st.Repeat) and (stmt.times is None or _is_positive(stmt.times)):
        return _certain(stmt.body)
    return {stmt.verb} if isinstance(stmt, st.Propose) else {stmt.proc} if isinstance(stmt, st.Call) else set()


def _is_positive(times: Expression) -> bool:
    return isinstance(times, ex.Number) and times.value > 0


def _follow(leads: Mapping[int, set[int]], start: int) -> set[int]:
    """All that something leads to, by one step or several."""
    seen: set[int] = set()
    stack = [start]
    while stack:
        new = leads.get(stack.pop(), set()) - seen
        seen |= new
        stack.extend(new)
    return seen
