"""Explain why an effect text cannot be read: the place, what is wrong, the likely repair, in the words of an author.

In: the token that could not follow and what could have. Out: a `ParseProblem`. Rules are tried in order; the first that
knows the mistake answers. No terminal name of the grammar is ever shown.
"""

from __future__ import annotations

from grimoire.compiler.syntax.machine import Unexpected
from grimoire.compiler.syntax.tokens import Token


class ParseProblem(Exception):
    """What is wrong with an effect text, with its place inside the text (1-based)."""

    def __init__(
        self, code: str, message: str, line: int, column: int, width: int = 1, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line
        self.column = column
        self.width = max(width, 1)
        self.hint = hint


_CLAUSE_START = frozenset(("_COMMA", "_SEMI", "THEN", "_COLON", "_NL", "_INDENT", "_DEDENT", "CLAUSE"))
_LAYOUT = frozenset(("_NL", "_INDENT", "_DEDENT", "$END"))
_DETS = frozenset(["THE", "A", "EACH", "ALL", "ANY", "ANOTHER", "NO", "BOTH", "YOUR", "ITS", "THEIR", "THIS_DET"])
_PRONOUNS = frozenset(("YOU", "IT", "THEY", "THIS"))
_PREDICATES = frozenset(["MAY", "MUST", "CANNOT", "CANNOT_BE", "IS", "IS_NOW", "HAS", "GETS", "WOULD"])
_GATES = {
    "IF": "the condition", "OTHERWISE": '"otherwise"', "ON": "the outcome", "FOR_EACH": "the name",
    "FOR_EACH_OF": "the name",
    "WHILE": "the condition", "UNTIL_END_OF": "the duration", "UNTIL_START_OF": "the duration",
    "BEFORE": "the event", "AFTER": "the event", "WHEN": "the event",
    "NEXT_TIME": "the event", "AT_START_OF": "the time", "AT_END_OF": "the time", "AT_ANY_TIME": "the time",
    "AS_SOON_AS": "the condition",
    "IN_TURN_FROM": "the player", "AT_ONCE": '"at the same time"', "SECRETLY": '"secretly"',
    "REPEAT": "the number of times",
}  # fmt: skip
_SLOTS = {
    "trigger": ("an event", "when a card is drawn, at the start of the turn"),
    "condition": ("a condition", "the target is free and d >= 3"),
    "amount": ("an amount", "2 * number of your cards"),
    "selector": ("a noun phrase", "each card in your hand"),
    "limit": ("a limit", "once per turn, twice per round, 3 times per game"),
}
_DIGITS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_WORDING = {
    "between": 'write "2 to 4"', "less": 'write "up to 2", or compare: number of .. < 3', "fewer": 'write "up to 2"',
    "more": 'write "3 or more", or compare: number of .. > 2', "least": 'write "3 or more"', "most": 'write "up to 3"',
    "equals": 'write "="', "equal": 'write "="', "exceeds": 'write ">"', "greater": 'write ">"',
    "every": 'write "each"',
    "some": 'write "any number of" or "1 or more"', "unless": 'write "if not"', "else": 'write "otherwise"',
    "can": 'write "may"',
    "can't": 'write "cannot"', "shall": 'write "must"', "should": 'write "must"',
    "does": 'write "is not", "has no" or "if you do not"',
}  # fmt: skip
OTHER_WORDS = frozenset((*_DIGITS, *_WORDING))  # which are no misspelt words, but say what the language says otherwise
_AMOUNTS = frozenset(("NUMBER", "MINUS", "_LPAR", "NUMBER_OF", "TOTAL", "EXTREME_OF"))
_OWN = {"IT": "its", "YOU": "your", "THEY": "their", "ITS": "its", "YOUR": "your", "THEIR": "their"}
_READABLE = {
    "NAME": "a word", "NUMBER": "a number", "_NL": "the end of the line", "_COMMA": "a comma", "_COLON": "a colon",
    "CMP": "a comparison",
    "AS": "as", "IS": "is", "MAY": "may", "MUST": "must", "_TO_DO": "to and a verb", "THEN": "then",
    "_RPAR": "a closing parenthesis",
    "_RSQB": "a closing bracket", "_INDENT": "an indented line", "PART_OF": "of", "PER": "per", "TIMES": "times",
    "WOULD": "would",
}  # fmt: skip


class _Place:
    """A token that cannot follow, with what the rules below look at."""

    def __init__(self, problem: Unexpected, text: str, start: str) -> None:
        self.tokens = problem.tokens
        self.at = problem.at
        self.accepts = problem.accepts
        self.lines = text.split("\n")
        self.start = start
        self.ended = self.at == len(self.tokens)
        last = self.tokens[-1]
        self.token = Token.new_borrow_pos("$END", "", last) if self.ended else self.tokens[self.at]
        self.sort = self.token.type
        first = self.at
        while first and self.tokens[first - 1].type not in _LAYOUT:
            first -= 1
        self.line = self.tokens[first : self.at]  # what stands before it on its line
        begin = self.at
        listing = False
        while begin > first and (listing or self.tokens[begin - 1].type not in _CLAUSE_START):
            begin -= 1
            listing = self.tokens[begin].type == "_RSQB" or (listing and self.tokens[begin].type != "_LSQB")
        self.clause = self.tokens[begin : self.at]  # what stands before it in its clause

    @property
    def before(self) -> str:
        return self.line[-1].type if self.line else ""

    def follows(self) -> str:
        return self.tokens[self.at + 1].type if self.at + 1 < len(self.tokens) else "$END"

    def show_token(self, token: Token) -> str:
        """A token as it was written."""
        line = self.lines[(token.line or 1) - 1] if (token.line or 1) <= len(self.lines) else ""
        text = line[(token.column or 1) - 1 : (token.end_column or 1) - 1].strip()
        return text if len(text) <= 40 else text[:37] + "..."

    def after(self) -> str:
        return f' after "{self.show_token(self.line[-1])}"' if self.line else ""

    def problem(self, code: str, message: str, token: Token, hint: str | None) -> ParseProblem:
        line, column = token.line or 1, token.column or 1
        width = (token.end_column or column + 1) - column
        if token.type in _LAYOUT:
            line = min(line, len(self.lines))
            while line > 1 and not self.lines[line - 1].strip():
                line -= 1
            column, width = max(len(self.lines[line - 1].rstrip()), 1), 1
        return ParseProblem(code, message, line, column, width, hint)


def explain(problem: Unexpected, text: str, start: str) -> ParseProblem:
    """What to tell the author: the first rule that knows the mistake, or what stands there and what could."""
    place = _Place(problem, text, start)
    for rule in _RULES:
        found = rule(place)
        if found is not None:
            return found
    token = place.token
    if place.sort in _LAYOUT:
        message = "the text ends too early" if place.ended else f"the line ends too early{place.after()}"
    else:
        message = f'"{place.show_token(token)}" cannot stand here{place.after()}'
    return place.problem("G0401", message, token, _suggest_expected(place))


def _suggest_expected(place: _Place) -> str | None:
    named = sorted({_READABLE[name] for name in place.accepts if name in _READABLE})
    if place.accepts >= {"THE", "A"}:
        named.append("a noun phrase (the .., a .., each .., 2 ..)")
    if not named:
        return None
    return "expected " + (named[0] if len(named) == 1 else ", ".join(named[:-1]) + " or " + named[-1])


def _on_layout(p: _Place) -> ParseProblem | None:
    """Lines, indentation, blocks."""
    if p.sort == "_INDENT":
        above = next((t for t in reversed(p.tokens[: p.at]) if t.type != "_NL"), p.token)
        width = (p.token.column or 2) - 1
        what = "ends with a comma, not with a colon" if above.type == "_COMMA" else "does not end with a colon"
        return ParseProblem(
            "G0403",
            f"this line is indented, but the line above {what}",
            p.token.line or 1,
            1,
            width,
            "end the line above with ':' or take the indentation away",
        )
    if p.accepts == {"_INDENT"}:
        if p.ended or p.sort == "_DEDENT":
            colon = next(t for t in reversed(p.tokens[: p.at]) if t.type not in _LAYOUT)
            return p.problem("G0403", "nothing stands below the colon", colon, "indent a line below it")
        hint = "indent this line, or take the colon away"
        return p.problem("G0403", "the line above ends with a colon, and this line is not indented", p.token, hint)
    if p.sort == "CLAUSE":
        hint = "write it in front of the whole line"
        return p.problem("G0401", f'"{p.show_token(p.token)}" stands inside a line', p.token, hint)
    return None


def _on_slot(p: _Place) -> ParseProblem | None:
    """Slots that hold no clauses."""
    if p.start not in _SLOTS:
        return None
    what, example = _SLOTS[p.start]
    if p.accepts == {"$END"}:
        return p.problem("G0401", f"{what} is one line", p.token, f"for example: {example}")
    if p.start == "limit":
        return p.problem("G0401", "this is not a limit", p.token, f"write {example}")
    if p.sort in ("_COMMA", "_COLON", "_SEMI", "THEN") and "_NL" in p.accepts:
        hint = "end it here; what happens stands in the slot of an effect"
        return p.problem("G0401", f"only {what} stands in this slot", p.token, hint)
    first = next((t for t in p.tokens if t.type not in _LAYOUT), None)
    if p.start == "condition" and first is not None and first.type in ("IF", "WHILE") and p.token is first:
        return p.problem(
            "G0401", f'"{p.show_token(first)}" is left out in this slot', first, "write the condition alone"
        )
    if p.start == "trigger" and p.token is first:
        hint = "it starts with before, after, when, at the start of, at the end of or as soon as"
        return p.problem("G0401", f'"{p.show_token(first)}" does not start an event', first, hint)
    return None


def _on_brackets(p: _Place) -> ParseProblem | None:
    """Parentheses and brackets."""
    opened: list[int] = []
    for i, token in enumerate(p.line):
        if token.type in ("_LPAR", "_LSQB"):
            opened.append(i)
        elif token.type in ("_RPAR", "_RSQB") and opened:
            opened.pop()
    if p.sort in ("_RPAR", "_RSQB") and not opened:
        return p.problem("G0401", f'"{p.show_token(p.token)}" closes nothing', p.token, "open it before, or delete it")
    if not opened:
        return None
    opener = p.line[opened[-1]]
    if opener.type == "_LSQB":
        if p.sort in ("NAME", "AND", "_AND", "OR") and "_COMMA" in p.accepts:
            return p.problem("G0401", "the names of a list are separated by commas", p.token, "write [cellar, attic]")
        if p.sort in _DETS:
            return p.problem("G0401", "a list holds names without determiners", p.token, "write [cellar, attic]")
    if p.sort in (*_LAYOUT, "_COMMA", "_COLON") and ("_RPAR" in p.accepts or "_RSQB" in p.accepts):
        closing = ")" if opener.type == "_LPAR" else "]"
        return p.problem("G0401", f'"{p.show_token(opener)}" is never closed', opener, f'write "{closing}"')
    return None


def _on_amounts(p: _Place) -> ParseProblem | None:
    """The lower of two amounts, and amounts that depend on a condition."""
    if p.sort == "EXTREME_OF":
        word = p.show_token(p.token)
        return p.problem("G0401", f'"{word}" stands in parentheses here', p.token, f"write ({word} A and B)")
    pair = next((t for t in reversed(p.clause) if t.type == "EXTREME_OF"), None)
    if pair is not None and "AND_OF" in p.accepts:
        word = p.show_token(pair)
        return p.problem("G0401", f'"{word}" takes two amounts', pair, f"write {word} A and B")
    if pair is not None and p.sort in ("PLUS", "MINUS", "TIMES_OP", "OVER_OP"):
        word, sign = p.show_token(pair), p.show_token(p.token)
        return p.problem(
            "G0401",
            f'"{word} .." is no part of a sum without parentheses',
            p.token,
            f"write ({word} A and B) {sign} ..",
        )
    other = next((i for i, t in enumerate(p.tokens) if i > p.at and t.type in ("OTHERWISE", "_NL")), p.at)
    if p.sort == "IF" and p.clause and p.tokens[other].type == "OTHERWISE" and p.tokens[other + 1].type in _AMOUNTS:
        hint = "write it in parentheses: (3 if .., otherwise 1)"
        return p.problem("G0401", "an amount that depends on a condition stands in parentheses", p.token, hint)
    return None


def _on_wording(p: _Place) -> ParseProblem | None:
    """Words that have another form here."""
    word = str(p.token)
    if p.sort == "HAS" and p.before == "WHO":
        best = [str(t) for t in p.tokens[p.at + 1 : p.at + 3]]
        hint = "write where (it has ..), or with: each player with 2 or more .."
        if best and best[0] == "the" and best[-1] in ("most", "fewest", "highest", "lowest"):
            hint = f'write "with the {best[-1]} .."'
        return p.problem(
            "G0401", f'behind "{p.show_token(p.line[-1])}" stands is, not "{p.show_token(p.token)}"', p.token, hint
        )
    summed = p.sort in ("TOTAL", "DIFFERENT", "SUPER_WORD") and p.follows() == "NAME"
    if (p.sort == "NUMBER_OF" or summed) and p.before in _DETS:
        word, det = p.show_token(p.token), p.show_token(p.line[-1])
        return p.problem("G0401", f'"{det}" is left out before "{word}"', p.line[-1], f'write "{word} .."')
    if p.sort in ("YOUR", "ITS", "THEIR", "THE") and p.before in ("ALL", "EACH", "ANY", "BOTH"):
        word, det = p.show_token(p.token), p.show_token(p.line[-1])
        noun = p.show_token(p.tokens[p.at + 1]) if p.follows() == "NAME" else ".."
        verb = p.show_token(p.clause[0]) if p.clause[0].type == "NAME" else ".."
        hint = f'write "each of {word} {noun}"; of a number, "{verb} ({word} {noun}) {noun}"'
        return p.problem("G0401", f'"{word}" does not stand behind "{det}"', p.token, hint)
    if p.sort == "NAME" and p.before == "NUMBER" and len(p.line) > 1 and p.line[-2].type in ("MINUS", "PLUS"):
        sign, number = p.show_token(p.line[-2]), p.show_token(p.line[-1])
        hint = f'write "{number} {p.show_token(p.token)}"' + (" with a verb that takes away" if sign == "-" else "")
        return p.problem("G0401", f'"{sign}{number}" does not say how many', p.line[-2], hint)
    if p.before == "NAME" and len(p.line) > 2 and p.line[-2].type in ("OR", "AND") and "CMP" in p.accepts:
        joint, word = p.show_token(p.line[-2]), p.show_token(p.line[-1])
        if p.sort in ("_COMMA", "_COLON", "_NL", "_RPAR", "AND", "OR"):
            hint = f"repeat the whole condition: .. {joint} it is {word}"
            return p.problem("G0401", f'"{word}" is no condition', p.line[-1], hint)
    if p.sort in ("OR_MORE", "OR_LESS") and p.before == "NAME" and len(p.line) > 1 and p.line[-2].type == "NUMBER":
        number, noun = p.show_token(p.line[-2]), p.show_token(p.line[-1])
        how = f"{number} or more" if p.sort == "OR_MORE" else f"up to {number}"
        return p.problem(
            "G0401", f'"{p.show_token(p.token)}" stands behind the number', p.token, f'write "{how} {noun}"'
        )
    if p.sort == "RANGE":
        hint = "put spaces around the minus, or write 2 to 4 for a choice"
        return p.problem("G0401", f'"{p.show_token(p.token)}" is a range, which stands only behind "on"', p.token, hint)
    if p.sort == "NAME" and word in _DIGITS:
        return p.problem("G0406", "numbers are written in digits", p.token, f'write "{_DIGITS[word]}"')
    if p.sort == "UNTIL":
        hint = "it ends a clause of its own: draw a card until you have 5 cards; or open a block: repeat until ..:"
        return p.problem("G0401", f'"until" cannot stand here{p.after()}', p.token, hint)
    if p.sort == "NAME" and word in _WORDING:
        return p.problem("G0401", f'"{word}" cannot stand here{p.after()}', p.token, _WORDING[word])
    last = p.line[-1] if p.line else None
    if last is not None and last.type == "NAME" and str(last) in _WORDING:
        return p.problem("G0401", f'"{last}" cannot stand here', last, _WORDING[str(last)])
    if p.sort == "AT" and p.follows() == "NAME" and str(p.tokens[p.at + 1]) in ("least", "most"):
        word = str(p.tokens[p.at + 1])
        return p.problem("G0401", f'"at {word}" cannot stand here', p.token, _WORDING[word])
    if p.sort == "IS" and p.follows() == "NUMBER":
        return p.problem("G0401", f'numbers are not compared with "{p.token}"', p.token, 'write "=", "!=", ">=" ..')
    if p.before == "WHERE" and p.sort != "_LPAR":
        hint = "write where (it is free and d >= 3)"
        return p.problem("G0401", 'the condition behind "where" stands in parentheses', p.token, hint)
    if p.sort == "NUMBER" and p.before in _DETS:
        number, det = p.token, p.show_token(p.line[-1])
        hint = f'write "{number} ..", "{number} of {det} .." or "{det} top {number} .."'
        return p.problem("G0401", f'"{number}" does not stand behind "{det}"', number, hint)
    if p.sort == "SUPER_WORD" and p.before == "WITH":
        return p.problem("G0401", f'"the" is missing before "{p.token}"', p.token, f'write "with the {p.token}"')
    if p.sort == "AT" and p.follows() == "NAME" and str(p.tokens[p.at + 1]) in ("start", "end"):
        edge = str(p.tokens[p.at + 1])
        return p.problem("G0401", f'"the" is missing before "{edge}"', p.token, f'write "at the {edge} of"')
    if p.before == "INSTEAD" and len(p.clause) == 1:
        hint = "write it behind the clause, or write instead: and indent the lines"
        return p.problem("G0401", '"instead" stands behind the clause that replaces', p.line[-1], hint)
    if p.sort == "APOS" and p.before in _OWN:
        hint = f'write "{_OWN[p.before]}"'
        return p.problem("G0401", f'"{p.show_token(p.line[-1])}" takes no \'s', p.token, hint)
    if p.sort == "CMP" and p.before == "CMP":
        return p.problem("G0401", "two comparisons stand here", p.token, "write one of = != < <= > >=")
    if p.before == "GETS" and p.sort in ("NUMBER", "_LPAR"):
        return p.problem("G0401", "what somebody gets has a sign", p.token, f'write "+{p.show_token(p.token)}"')
    if p.before == "NUMBER" and len(p.line) > 1 and p.line[-2].type in ("IS", "NOT") and "NAME" in p.accepts:
        verb = next(t for t in reversed(p.line) if t.type == "IS")
        return p.problem("G0401", f'numbers are not compared with "{verb}"', verb, 'write "=", "!=", ">=" ..')
    return None


def _on_names(p: _Place) -> ParseProblem | None:
    """`as` and its name, and keywords in the place of a name."""
    if p.before == "AS":
        if p.sort in _LAYOUT or p.sort.startswith("_"):
            return p.problem("G0401", '"as" needs a name', p.line[-1], "write as target, and say the target later")
        hint = "choose another name behind as"
        word = p.show_token(p.token)
        if p.sort in ("NUMBER", "RANGE"):
            return p.problem("G0401", f'"{word}" is not a name', p.token, hint)
        return p.problem("G0401", f'"{word}" is a word of the language and cannot be a name', p.token, hint)
    loop = next((t for t in p.clause if t.type in ("FOR_EACH", "FOR_EACH_OF")), None)
    if loop is not None and "AS" in p.accepts and p.sort in ("_COMMA", "_COLON", "_NL"):
        hint = "write for each .. as person, and say the person in the clause"
        return p.problem("G0401", '"for each" gives no name to the one it is at', loop, hint)
    reserved = p.sort not in ("NUMBER", "RANGE") and p.token[:1].isalpha()
    if reserved and p.sort != "NAME" and p.before in _DETS and "NAME" in p.accepts:
        word = p.show_token(p.token)
        return p.problem(
            "G0401",
            f'"{word}" is a word of the language and cannot be a name',
            p.token,
            "use another word, or join two with -",
        )
    return None


def _on_subject(p: _Place) -> ParseProblem | None:
    """Who acts: modals, verbs in the third person, a second subject in one line."""
    if not p.clause:
        return None
    if p.sort in _PREDICATES:
        joint = next((t for t in reversed(p.clause) if t.type in ("TO", "AND_NP", "OR_NP", "_AND", "_TO_DO")), None)
        if joint is not None and joint.type == "TO":
            hint = "end the line with to: and indent what is paid for"
            return p.problem("G0401", f'behind "to" stands a verb, not "{p.show_token(p.token)}"', p.token, hint)
        if joint is not None and joint.type in ("AND_NP", "OR_NP"):
            word = p.show_token(joint)
            hint = "start a new line, or write ; in its place"
            if word == "or":
                hint = "write the possibilities as blocks: either: .. or: .."
            return p.problem("G0401", f'"{word}" stands before a clause with a subject of its own', joint, hint)
    lead = p.clause[0]
    if p.before in ("MAY", "MUST") and len(p.clause) == 1 and (p.sort in _DETS or p.sort in _PRONOUNS):
        hint = f'write "the leader {lead} .."'
        return p.problem("G0404", f'who acts stands before "{lead}"', p.token, hint)
    if not p.accepts & {"MAY", "MUST"}:
        return None
    if p.sort in ("IS", "HAS", "CMP"):
        word = p.show_token(p.token)
        hint = 'write "is now" to set something, or "if .., .." to ask'
        return p.problem("G0401", f'"{word}" stands only in a condition', p.token, hint)
    if lead.type in _PRONOUNS and len(p.clause) == 1 and p.sort == "NAME":
        if lead.type == "YOU":
            return p.problem("G0404", '"you" is left out before a verb', lead, f'write "{p.token}" alone')
        return _must(p, p.token)
    if lead.type not in _DETS and lead.type not in ("NUMBER", "EACH_OF", "ANY_OF", *_PRONOUNS):
        return None
    for i, token in enumerate(p.clause):
        if token.type != "NAME" or not _is_third_person(str(token)):
            continue
        behind = p.clause[i + 1].type if i + 1 < len(p.clause) else p.sort
        alone = i and p.clause[i - 1].type in _DETS and p.clause[i - 1].type != "THIS_DET"
        if not alone and behind != "NAME" and p.clause[i - 1].type in ("NAME", "THIS_DET"):
            return _must(p, token)
    if p.sort == "NAME" and _is_third_person(str(p.token)):
        return _must(p, p.token)
    return None


def _must(p: _Place, token: Token) -> ParseProblem:
    word = p.show_token(token)
    verb = _base(word)
    hint = f'write "must {verb}" or "may {verb}"'
    return p.problem("G0404", f'"{word}" is not a modal: somebody else acts through must or may', token, hint)


def _is_third_person(word: str) -> bool:
    return len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us"))


def _base(verb: str) -> str:
    """discards, passes, carries -> discard, pass, carry."""
    if not _is_third_person(verb):
        return verb
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else verb[:-1]


def _on_joints(p: _Place) -> ParseProblem | None:
    """Commas, colons, semicolons, `or`, `and`."""
    gate = next((t for t in p.clause if t.type in _GATES), None)
    char = p.show_token(p.token)
    if p.sort == "_NL" and p.before == "_COMMA":
        hint = "end it with a colon and indent what follows, or go on with a clause"
        return p.problem("G0403", "the line ends with a comma", p.line[-1], hint)
    if gate is not None and "_COMMA" in p.accepts and p.sort != "_COMMA":
        what = _GATES[gate.type]
        verb = _find_swallowed_verb(p)
        if verb is not None:
            hint = f'write a comma before "{p.show_token(verb)}"'
            return p.problem("G0401", f"a comma is missing behind {what}", verb, hint)
        if p.sort in _LAYOUT:
            hint = "write a comma and a clause, or a colon and an indented block"
            return p.problem("G0401", f"nothing stands behind {what}", p.token, hint)
        hint = f'write a comma before "{char}"' if p.sort not in ("_SEMI", "THEN") else "write a comma in its place"
        return p.problem("G0401", f"a comma is missing behind {what}", p.token, hint)
    if p.sort in _GATES and p.clause:
        name = " as one" if p.sort in ("FOR_EACH", "FOR_EACH_OF") else ""
        hint = f'write "{char} ..{name}, {p.show_token(p.clause[0])} .."'
        if p.sort == "OTHERWISE":
            hint = "start a new line with it"
        return p.problem("G0401", f'"{char}" does not stand behind what it is said of', p.token, hint)
    if char == ":":
        if p.sort == "_COMMA":
            hint = "leave the colon out, or end the line with it and indent what follows"
            return p.problem("G0403", f"a colon does not stand here{p.after()}", p.token, hint)
        hint = "a block is opened by if, otherwise, for each, may, either, or, instead, repeat, a window, or a cost"
        return p.problem("G0403", "a colon ends only a line that opens a block", p.token, hint)
    if p.sort == "_COMMA" and "_NL" in p.accepts:
        if p.follows() in _GATES:
            word = p.show_token(p.tokens[p.at + 1])
            return p.problem(
                "G0401", f'"{word}" starts a line of its own', p.tokens[p.at + 1], "start a new line with it"
            )
        hint = 'join clauses with "then", ";" or a new line; join things with "and"'
        return p.problem("G0401", f'"," joins no clauses{p.after()}', p.token, hint)
    if p.sort == "OR" and not any(t.type == "EITHER" for t in p.clause):
        hint = "write either .. or .., or two blocks: either: .. or: .."
        return p.problem("G0401", '"or" stands between clauses without "either"', p.token, hint)
    if p.sort in ("AND_NP", "OR_NP"):
        hint = "start a new line for a new clause; inside a condition repeat the whole condition"
        message = f'"{char}" joins two noun phrases here, and one is missing or of another sort'
        return p.problem("G0401", message, p.token, hint)
    return None


def _find_swallowed_verb(p: _Place) -> Token | None:
    """A verb that was read as the last word of a noun, because the comma before it is missing: it has a number or a
    noun behind it."""
    for i in range(len(p.clause) - 1, 1, -1):
        behind = p.clause[i + 1].type if i + 1 < len(p.clause) else p.sort
        if p.clause[i].type == "NAME" and behind in ("NUMBER", "_LPAR", "UP_TO", *_DETS, *_PRONOUNS):
            return p.clause[i] if p.clause[i - 1].type in ("NAME", "NUMBER") else None
    return None


def _on_determiner(p: _Place) -> ParseProblem | None:
    """Nouns without a determiner."""
    last = p.clause[-1] if p.clause else None
    if last is not None and last.type == "NAME" and (p.sort in _PREDICATES or p.sort == "APOS"):
        first = len(p.clause) - 1
        while first and p.clause[first - 1].type == "NAME":
            first -= 1
        if first == 0 or p.clause[first - 1].type not in _DETS:
            return _determiner(p, p.clause[first])
    if p.sort == "NAME" and "NAME" not in p.accepts and p.accepts & {"THE", "A"}:
        return _determiner(p, p.token)
    return None


def _determiner(p: _Place, token: Token) -> ParseProblem:
    word = p.show_token(token)
    hint = f'write "the {word}", "a {word}" or "each {word}"'
    if _is_third_person(word):
        hint = f'write "the {word}", "all {word}" or "2 {word}"'
    return p.problem("G0406", f'"{word}" stands without a determiner', token, hint)


_RULES = (
    _on_layout,
    _on_slot,
    _on_brackets,
    _on_amounts,
    _on_wording,
    _on_names,
    _on_subject,
    _on_joints,
    _on_determiner,
)
