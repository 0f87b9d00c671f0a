"""Read the window of an ability: which event it hears, in which phase, and what the event must be like.

In: a window of the syntax tree. Out: the verb, the phase and the tests on the event. Once it is read, the nouns of the
window and the verb's parameters name who and what takes part.
"""

from __future__ import annotations

from grimoire.compiler.declare.model import SEAT, Param, Type, Verb
from grimoire.compiler.lower.actions import Actions
from grimoire.compiler.lower.amounts import Amounts
from grimoire.compiler.lower.context import Context
from grimoire.compiler.lower.denotation import Item
from grimoire.compiler.lower.engine_verbs import EngineVerbs
from grimoire.compiler.lower.forms import NOTHING, ONE, as_sort, both
from grimoire.compiler.lower.nouns import Nouns
from grimoire.compiler.lower.phrases import Phrases
from grimoire.compiler.lower.presence import is_same
from grimoire.compiler.lower.scope import EventShape, Ref, Scope
from grimoire.compiler.lower.states import Phase
from grimoire.compiler.lower.told import Premise, name_argument
from grimoire.compiler.syntax import nodes as s
from grimoire.compiler.syntax.tokens import Token
from grimoire.runtime.core import expressions as ex
from grimoire.runtime.core import selectors as se
from grimoire.runtime.core.records import Expression


class EventPatterns:
    """Windows as patterns of events."""

    def __init__(
        self, context: Context, phrases: Phrases, nouns: Nouns, amounts: Amounts, actions: Actions, engine: EngineVerbs
    ) -> None:
        self.context = context
        self.phrases = phrases
        self.nouns = nouns
        self.amounts = amounts
        self.actions = actions
        self.engine = engine
        self.participants: list[tuple[str, Ref]] = []  # nouns of the window being read

    def read_window(self, window: s.Window, scope: Scope) -> tuple[Verb, Phase, list[Expression]]:
        if window.kind == "any":
            raise self.context.problem(
                "G0610",
                window.word,
                f'"{window.word}" is not a window that the engine opens yet',
                "name the event: before .., after .., when .. would ..",
            )
        if window.noun is not None:
            return self.edge(window, scope)
        event = window.event
        assert event is not None
        verb = self.event_verb(event)
        self.context.told.presume(Premise("happens", "", verb.id), self.context.span(event.verb))
        would = event.form in ("would_be", "would")
        phases: dict[str, Phase] = {
            "before": "before",
            "after": "after",
            "when": "instead" if would else "after",
            "next": "instead" if would else "after",
        }
        phase = phases[window.kind]
        tests: list[Expression] = []
        scope.event = EventShape(verb, would or window.kind == "before")
        self.participants = []
        if event.form in ("would_be", "is_done"):
            assert event.subject is not None
            rest = self.event_phrases(verb, event.phrases, tests, scope)
            options: list[Expression] = []
            for subject in (event.subject, *event.others):
                found: list[Expression] = []
                more = rest if subject is event.subject else []
                self.match_object(verb, subject.noun, [*subject.phrases, *more], found, event.verb, scope)
                options.append(both(found))
            tests.append(options[0] if len(options) == 1 else ex.Or((*options,)))
        else:
            assert event.action is not None
            subjects = [] if event.subject is None else [event.subject, *event.others]
            if not subjects:
                tests.append(ex.Comparison("==", ex.EventArgument(0), scope.you))
            actors = [self.match_actor(subject, scope) for subject in subjects]
            if actors:
                tests.append(actors[0] if len(actors) == 1 else ex.Or((*actors,)))
            self.match_action(verb, event.action, tests, scope)
        self.name_participants(verb, verb.params, phase == "after", scope)
        return verb, phase, [test for test in tests if test != ONE]

    def name_participants(self, verb: Verb, params: list[Param], over: bool, scope: Scope) -> None:
        """Once the window is read, its nouns and the verb's parameters name who and what takes part."""
        for i, param in enumerate(params):
            scope.bind(param.name, Ref(ex.EventArgument(i + 1), param.type), None)
        if verb.result is not None and over:
            scope.bind("result", Ref(ex.EventResult(), verb.result), None)
        for word, ref in reversed(self.participants):
            scope.bind(word, ref, None)
        self.participants = []

    def match_action(self, verb: Verb, action: s.Action, tests: list[Expression], scope: Scope) -> None:
        preps = tuple(p.role for p in verb.params if p.role not in (None, "object", "amount"))
        own, taken = self.actions.share(action, preps, verb)
        extra = (action.bind, action.again, action.order)
        if action.able or action.instead or any(part is not None for part in extra):
            raise self.context.problem(
                "G0607", action, "a window only names the event", "leave out what stands behind it"
            )
        if action.object is not None:
            if len(action.object.items) != 1:
                raise self.context.problem(
                    "G0607", action.object, "one thing is named in a window", "make two abilities of it"
                )
            self.match_object(verb, action.object.items[0], own, tests, action.verb, scope)
        elif own:
            self.nouns.no_phrases(own)
        for key, (phrase, tail) in taken.items():
            index = next(i for i, p in enumerate(verb.params) if p.key == key)
            self.match_arg(verb, index, phrase.item, tail, tests, scope)

    def match_object(
        self, verb: Verb, noun: Item, phrases: list[s.Phrase], tests: list[Expression], word: object, scope: Scope
    ) -> None:
        """The object of the event, or how much of what: `when you would gain 2 or more coins`."""
        target = next((i for i, p in enumerate(verb.params) if p.role == "object"), -1)
        amount = next((i for i, p in enumerate(verb.params) if p.role == "amount"), -1)
        if amount >= 0:
            self.nouns.no_phrases(phrases)
            if isinstance(noun, (s.Counted, s.Noun)) and (len(noun.words) != 1 or noun.relative is not None):
                raise self.context.problem(
                    "G0607", noun, f'"{verb.id}" is heard with a plain amount', "any .., 2 or more .."
                )
            if isinstance(noun, (s.Counted, s.Count)):
                count = noun.count if isinstance(noun, s.Counted) else noun
                tests.append(self.context.at(noun, self.amounts.enough(ex.EventArgument(amount + 1), count, scope)))
            if isinstance(noun, (s.Counted, s.Noun)):
                if target >= 0:
                    thing = self.nouns.bare(noun.words[-1], scope)
                    self.actions.check_type(thing.type, verb.params[target].type, noun, verb)
                    tests.append(self.context.at(noun, is_same(ex.EventArgument(target + 1), thing.expr)))
                elif verb.params[amount].noun is not None and str(verb.params[amount].noun).rstrip("s") != str(
                    noun.words[-1]
                ).rstrip("s"):
                    raise self.context.problem(
                        "G0601",
                        noun,
                        f'"{verb.id}" goes with {verb.params[amount].noun}',
                        f"it is written {verb.signature}",
                    )
            return
        if target < 0:
            raise self.context.problem(
                "G0603", noun, f'"{verb.id}" has no object that "{word}" could name', f"it is written {verb.signature}"
            )
        self.match_arg(verb, target, noun, phrases, tests, scope)

    def event_verb(self, event: s.Event) -> Verb:
        word = event.verb
        if event.form in ("would_be", "is_done"):
            verb = self.context.participles.get(str(word))
            if verb is None:
                raise self.context.unknown(
                    "G0504", "participle", word, list(self.context.participles), "a verb declares it under done"
                )
            return verb
        verb = self.context.verb_words.get(str(word))
        if verb is None:
            raise self.context.unknown(
                "G0502", "verb", word, list(self.context.verb_words), "only verbs of the package are heard"
            )
        return verb

    def event_phrases(
        self, verb: Verb, phrases: tuple[s.Phrase, ...], tests: list[Expression], scope: Scope
    ) -> list[s.Phrase]:
        rest: list[s.Phrase] = []
        own: tuple[int, s.Phrase, list[s.Phrase]] | None = None
        for phrase in phrases:
            key = phrase.prep.type
            if phrase.name is not None:
                key = self.actions.name_argument(phrase.name, phrase.name, verb)
            index = next((i for i, p in enumerate(verb.params) if p.key == key), None)
            if index is not None:
                if own is not None:
                    self.match_arg(verb, own[0], own[1].item, own[2], tests, scope)
                own = (index, phrase, [])
            elif phrase.prep.type == "BY":
                noun = phrase.item
                if isinstance(noun, s.Operand) and len(noun.items) == 1:
                    noun = noun.items[0]
                if isinstance(noun, (s.Count, s.Operand, s.BareWords, s.Those)):
                    raise self.context.problem("G0601", phrase, "by names who acts", "by you, by an opponent")
                tests.append(self.match_actor(s.Full(noun, ()), scope))
            elif own is not None:
                own[2].append(phrase)
            else:
                rest.append(phrase)
        if own is not None:
            self.match_arg(verb, own[0], own[1].item, own[2], tests, scope)
        return rest

    def match_actor(self, subject: s.Full, scope: Scope) -> Expression:
        actor = Ref(ex.EventArgument(0), SEAT)
        noun = subject.noun
        test = self.amounts.matches(actor, noun, list(subject.phrases), scope)
        test = test if test == ONE else self.context.at(subject, test)
        if isinstance(noun, s.Noun):
            self.participants.append((str(noun.words[-1]), actor))
            scope.they = actor.expr
        return test

    def match_arg(
        self, verb: Verb, index: int, noun: Item, phrases: list[s.Phrase], tests: list[Expression], scope: Scope
    ) -> None:
        if isinstance(noun, s.Operand) and len(noun.items) == 1:
            noun = noun.items[0]
        param = verb.params[index]
        if param.type.sort == "piece":
            self.presume_done(verb, index, noun, scope)
        ref = Ref(ex.EventArgument(index + 1), param.type)
        if param.type.sort == "number":
            if isinstance(noun, (s.Counted, s.Count)):
                count = noun.count if isinstance(noun, s.Counted) else noun
                tests.append(self.context.at(noun, self.amounts.enough(ref.expr, count, scope)))
                return
            raise self.context.problem("G0601", noun, f"the {param.name} is a number", "2 or more, up to 3")
        element = ref
        if param.type.sort == "zone" and self.phrases.peek(noun, scope).sort == "fixture":
            element = Ref(ex.FixtureOfZone(ref.expr), Type("fixture"))
        if param.type.many:
            slot = scope.unit.slot()
            test = self.amounts.matches(Ref(ex.Slot(slot), param.type.one()), noun, phrases, scope)
            test = ex.AnyOf(se.Filter(se.Members(as_sort(param.type.sort), ref.expr), slot, test))
        else:
            test = self.amounts.matches(element, noun, phrases, scope)
        if test == ex.Comparison("!=", ref.expr, NOTHING) and not param.optional:
            test = ONE  # the object of an event is always there
        if test != ONE:
            tests.append(self.context.at(noun, test))
        if param.role == "object":
            scope.it = ref
            if scope.event is not None:
                scope.event.object = ref
        if isinstance(noun, (s.Noun, s.Counted)):
            found = self.context.nouns.get(str(noun.words[-1]))
            if found is not None:
                kind = found[0].id
                self.participants.append((kind, Ref(element.expr, Type(element.type.sort, kind, param.type.many))))

    def presume_done(self, verb: Verb, index: int, noun: Item, scope: Scope) -> None:
        """The window takes it for possible that this is done to such a piece."""
        kind: str | None = None
        if isinstance(noun, (s.Noun, s.Counted)):
            found = self.context.nouns.get(str(noun.words[-1]))
            kind = found[0].id if found is not None else None
        elif isinstance(noun, s.Pronoun) and noun.word.type == "THIS":
            this = scope.inherit("this")
            kind = this.type.kind if this is not None else None
        if kind is not None and not self.context.quiet:
            premise = Premise("done", kind, name_argument(verb.id, index))
            self.context.told.presume(premise, self.context.span(noun))

    def edge_of(self, full: s.Full, word: Token) -> tuple[Verb, bool]:
        """The procedure whose start or end is meant, and whether it is the next one: `your next turn`."""
        noun = full.noun
        words = noun.words if isinstance(noun, (s.Noun, s.Owned)) else ()
        later = len(words) == 2 and words[0] == "next"
        verb = self.context.model.verbs.get(str(words[-1])) if len(words) == 1 + later else None
        if verb is None or not verb.procedure:
            names = self.engine.procedures()
            raise self.context.unknown(
                "G0510", "procedure", words[-1] if words else word, names, f"one of {', '.join(names)}"
            )
        return verb, later

    def edge(self, window: s.Window, scope: Scope) -> tuple[Verb, Phase, list[Expression]]:
        """At the start of, at the end of a procedure."""
        assert window.noun is not None
        noun = window.noun.noun
        verb, later = self.edge_of(window.noun, window.word)
        if later and not scope.unit.floating:
            raise self.context.problem(
                "G0607",
                window.noun,
                f"a declared ability answers every {verb.id}",
                "leave next out, or give it a limit",
            )
        tests: list[Expression] = []
        self.participants = []
        actor = Ref(ex.EventArgument(0), SEAT)
        phrases = list(window.noun.phrases)
        if isinstance(noun, s.Noun) and noun.det is not None and noun.det.type == "YOUR":
            tests.append(ex.Comparison("==", actor.expr, scope.you))
        elif isinstance(noun, s.Owned):
            owner = s.Noun(noun.det, noun.owner, None, (), None)
            tests.append(self.amounts.matches(actor, owner, [], scope))
            self.participants.append((str(noun.owner[-1]), actor))
            scope.they = actor.expr
        elif phrases and phrases[0].prep.type == "OF":
            tests.append(self.amounts.matches(actor, phrases[0].item, phrases[1:], scope))
            scope.they = actor.expr
            phrases = []
        self.nouns.no_phrases(phrases)
        self.name_participants(verb, [*verb.params, *verb.settings], window.kind == "end", scope)
        self.context.told.presume(Premise("happens", "", verb.id), self.context.span(window.noun))
        scope.event = EventShape(verb, False)
        return verb, "before" if window.kind == "start" else "after", [t for t in tests if t != ONE]
