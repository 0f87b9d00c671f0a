"""The context of one unit: what it is lowered against, where it stands, what it has made, and who is asked for what.

Parts of the lowering (nouns, amounts, statements ..) are handed this; they hold nothing of their own.
"""

from __future__ import annotations

from grimoire.compiler.declare.model import Text, Type, Verb
from grimoire.compiler.diagnostics.report import Diagnostics, Span, did_you_mean, is_one_letter_off
from grimoire.compiler.lower.above import Above
from grimoire.compiler.lower.denotation import Program
from grimoire.compiler.lower.forms import ONE, as_sort
from grimoire.compiler.lower.output import Output
from grimoire.compiler.lower.scope import Ref, Scope, Unit
from grimoire.compiler.lower.told import ANY_PIECE, ANYWHERE, SPACE, Premise, Teller, name_argument
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.compiler.source.manifest import LANGUAGE
from grimoire.compiler.source.positions import effect_position
from grimoire.compiler.source.tree import Scalar
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.parse import find_slip
from grimoire.compiler.syntax.printer import print_part
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core.records import Expression, Selector, Statement


class Unresolved(Exception):
    """A diagnostic has been written; the clause at hand cannot be lowered."""


MAX_GUESSED = 10_000  # words compared with misspelt ones in one unit: suggestions cost time
MAX_COUNT = 10_000  # things that one clause takes, times that it is done, numbers to choose from


class Context:
    """The lowering of one unit."""

    above: Above  # set by whoever puts the parts together

    def __init__(self, vocabulary: Vocabulary, diags: Diagnostics, quiet: bool = False) -> None:
        self.vocabulary = vocabulary
        self.model = vocabulary.model
        self.nouns = vocabulary.nouns
        self.participles = vocabulary.participles
        self.verb_words = vocabulary.verb_words
        self.diags = diags
        self.out = Output(len(self.model.verbs), len(vocabulary.declared), len(self.model.counters))
        self.text: Text | None = None
        self.expanding: list[Text] = []  # definitions being written out, outermost first
        self.expanded_in: Unit | None = None
        self.expansions = 0
        self.told = Teller()
        self.quiet = quiet  # only a type is wanted: nothing is reported, definitions are written out
        self.placed = True  # whether it is written down where things stand
        self.unplaced: dict[int, tuple[object, int]] = {}  # else what has been met, by identity, and its number
        self.lost: set[tuple[int, str]] = set()  # names that a text would give, had its line been readable
        self.guessed = 0
        self.unit = Unit("none")
        self.restricted: dict[int, Statement] = {}  # conditionals that stand for a verb's own restriction, by identity
        self.absent: dict[
            int, tuple[Statement, Program]
        ] = {}  # what resolves a text which may not be there, by identity
        self.programs_of_this: dict[str, int] = {}  # texts of the card whose abilities are being lowered

    def version(self) -> int:
        """The version of the language that the text at hand is written in."""
        return self.text.language if self.text is not None else LANGUAGE

    # ------------------------------------------------------------ places and problems

    def span(self, node: object) -> Span:
        text = self.text
        assert text is not None
        extent = s.extent(node)
        scalar: Scalar = text.scalar
        if extent is None:
            return Span(text.file, scalar.line, scalar.column, scalar.end_line, scalar.end_column)
        first, last = extent
        line, column = effect_position(scalar, first.line or 1, first.column or 1)
        end_line, end_column = effect_position(
            scalar, last.end_line or last.line or 1, (last.end_column or last.column or 1) - 1
        )
        return Span(text.file, line, column, end_line, end_column + 1)

    def place(self, node: object) -> int:
        if not self.placed:
            return self.unplaced.setdefault(id(node), (node, len(self.unplaced)))[1]
        span = self.span(node)
        return self.out.place((span.file, span.line, span.column, span.end_line, span.end_column, print_part(node)))

    def problem(self, code: str, node: object, message: str, hint: str | None = None) -> Unresolved:
        if not self.quiet:
            self.diags.add(code, self.span(node), message, hint)
        return Unresolved()

    def warn(self, code: str, node: object, message: str, hint: str | None = None) -> None:
        """Say something of a text that can be lowered all the same."""
        if not self.quiet:
            self.diags.add(code, self.span(node), message, hint)

    def rising(self, low: s.Amount | None, high: s.Amount | None, node: object) -> None:
        """Two plain numbers of which the second is to be the higher one."""
        if isinstance(low, s.Number) and isinstance(high, s.Number) and int(low.value) > int(high.value):
            said = f"no number lies from {low.value} to {high.value}"
            raise self.problem("G0702", node, said, f"write {high.value} to {low.value}")

    def require_order(self, zone: str | None, end: str, node: object, instead: str) -> None:
        """The top or the bottom of a zone can be spoken of only if the zone has an order."""
        found = None if zone is None else self.model.zones.get(zone)
        if found is not None and not found.ordered:
            raise self.problem(
                "G0611",
                node,
                f"the {found.id} has no order, and so no {end}",
                f"{instead}; or give the zone order: kept",
            )

    def countable(self, *amounts: s.Amount | None) -> None:
        """How many things, or how often, said by a plain number: within what can be played in one go."""
        for amount in amounts:
            if isinstance(amount, s.Number) and len(amount.value) < 10 and int(amount.value) > MAX_COUNT:
                raise self.problem(
                    "G0609",
                    amount,
                    f"{amount.value} is more than can be played",
                    f"things and times go up to {MAX_COUNT:,}",
                )

    def unknown(
        self,
        code: str,
        what: str,
        token: Token,
        candidates: list[str],
        extra: str | None = None,
        message: str | None = None,
    ) -> Unresolved:
        """A name that nothing has; `message` instead of saying that a `what` is unknown."""
        if (id(self.text), str(token)) in self.lost:
            return Unresolved()  # the line that gives this name could not be read, and is reported
        self.guessed += 0 if self.quiet else len(candidates)
        is_asked = not self.quiet and self.guessed <= MAX_GUESSED
        guess = did_you_mean(str(token), candidates) if is_asked else None
        slip = None
        if is_asked and self.text is not None and (guess is None or not is_one_letter_off(str(token), guess)):
            slip = find_slip(self.text.text, self.text.start, token)
        if slip is not None:
            self.lost.add((id(self.text), str(token)))  # what follows from it is no further mistake
            return self.problem("G0401", slip.word, slip.message, slip.hint)
        said = (message or f'unknown {what} "{token}"') + (f": did you mean {guess}?" if guess else "")
        return self.problem(code, token, said, f"did you mean {guess}?" if guess and not message else extra)

    # ------------------------------------------------------------ what can be where

    def argument_of(self, expr: Expression, scope: Scope) -> str | None:
        """The argument of a verb that an expression reads, if it reads one as it was given."""
        verb, number = scope.unit.verb, -1
        if isinstance(expr, ex.Slot) and not scope.unit.floating:
            number = expr.slot
        elif isinstance(expr, ex.ReadSetting):
            verb, number = self.verb_at(expr.procedure), expr.slot
        return name_argument(verb.id, number - 1) if verb is not None and 1 <= number <= len(verb.params) else None

    def verb_at(self, index: int) -> Verb:
        return next(one for one in self.model.verbs.values() if one.index == index)

    def sort_of_pieces(self, ref: Ref, scope: Scope) -> str:
        return self.argument_of(ref.expr, scope) or ref.type.kind or ANY_PIECE

    def place_of(self, ref: Ref, scope: Scope) -> str:
        if ref.type.sort == "fixture":
            return f"{SPACE}{ref.type.kind or ''}"
        return self.argument_of(ref.expr, scope) or ref.type.kind or ANYWHERE

    def note_move(self, ref: Ref, where: Ref, scope: Scope) -> None:
        self.told.moves.add((self.sort_of_pieces(ref, scope), self.place_of(where, scope)))

    def note_given(self, verb: Verb, number: int, ref: Ref, scope: Scope) -> None:
        """What an argument of a verb is given."""
        if ref.type.sort in ("piece", "zone") or verb.params[number].type.sort == "zone":
            read = self.sort_of_pieces if ref.type.sort == "piece" else self.place_of
            self.told.given.add((name_argument(verb.id, number), read(ref, scope)))

    def note_changed(self, verb: Verb, number: int) -> None:
        """A text changes what an argument of a verb is."""
        if number < len(verb.params):
            anything = ANYWHERE if verb.params[number].type.sort == "zone" else ANY_PIECE
            self.told.given.add((name_argument(verb.id, number), anything))

    def presume_place(self, what: Type, where: Type, node: object) -> None:
        """A text speaks of pieces in a place. Definitions that are written out are looked at for themselves."""
        written_out = [body for body in self.expanding if body is not self.told.definition]
        if self.quiet or written_out or what.kind is None:
            return
        place = f"{SPACE}{where.kind or ''}" if where.sort == "fixture" else where.kind
        if place is not None:
            self.told.presume(Premise("lies", what.kind, place), self.span(node))

    # ------------------------------------------------------------ small expression builders

    def at(self, node: object, expr: Expression) -> Expression:
        return ex.Placed(self.place(node), expr)

    @staticmethod
    def actor(scope: Scope) -> Expression:
        """Who acts and decides here: the subject of may or must, else you."""
        return scope.asks if scope.asks is not None else scope.you

    def seats_from(self, scope: Scope) -> Selector:
        if scope.order is not None and scope.order.expr is not None:
            scope.order.used = True
            return se.SeatsFrom(scope.order.expr)
        return se.SeatsFrom(self.actor(scope))

    def domain(self, kind: str, scope: Scope) -> Selector:
        declared = self.model.kinds[kind]
        if declared.sort == "seat":
            return self.seats_from(scope)
        if declared.sort == "fixture":
            return se.FixturesOfKind(declared.index)
        return se.PiecesOfKind(declared.index)

    def kind_test(self, kind: str, have: Type, value: Expression) -> Expression:
        """The test that a value of a known type is of a kind; nothing to test when the type says so."""
        if self.model.is_a(have.kind, kind):
            return ONE
        declared = self.model.kinds[kind]
        return ex.IsKind(as_sort(declared.sort), declared.index, value)

    def owner_of(self, value: Expression, type_: Type) -> Expression:
        """The seat that owns a piece (its kind's `owner` state, else the holder of its zone), a fixture or a zone."""
        if type_.sort == "zone":
            return ex.HolderOfZone(value)
        declared = self.model.field(type_.kind, "owner")
        if declared is not None:
            return ex.ReadColumn(declared.column, value)
        return ex.HolderOfZone(ex.ZoneOfPiece(value))

    def new_unit(self, name: str, verb: Verb | None = None) -> Unit:
        return Unit(name, 1, [], False, verb)
