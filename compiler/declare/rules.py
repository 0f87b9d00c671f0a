"""Declare verbs, procedures, aims and the ledger of the rulebook."""

from __future__ import annotations

from functools import partial

from grimoire.compiler.declare.base import ABILITY_KEYS, RULE_ID, Reader
from grimoire.compiler.declare.model import (
    Aim,
    Clause,
    Param,
    Rule,
    Text,
    Type,
    Verb,
)
from grimoire.compiler.declare.signature import parse_signature
from grimoire.compiler.diagnostics.report import did_you_mean
from grimoire.compiler.source.shapes import as_mapping, as_text, as_text_list, check_keys
from grimoire.compiler.source.tree import Mapping, Node, Scalar, Sequence

CLAUSE_KINDS = ("rule", "definition", "manners")


class Rules(Reader):
    """Verbs, procedures, clauses."""

    def verb(self, name: Scalar, body: Node) -> None:
        mapping = as_mapping(body, self.diags, f"the verb {name.value}")
        if mapping is None:
            return
        # an event that only abilities give something to do needs no text of its own
        required = () if mapping.get("abilities") is not None else ("body",)
        keys = ("signature", "done", "body", "only", "result", "abilities", "clause")
        mapping = check_keys(mapping, keys, self.diags, "a verb", required=required)
        clauses = self.clauses(mapping)
        signature_node = mapping.get("signature")
        signature = name.value
        params: list[Param] = []
        if signature_node is not None:
            text = as_text(signature_node, self.diags, "signature")
            if text is None or not isinstance(signature_node, Scalar):
                return
            signature = text
            word, found = parse_signature(text, signature_node, self.type_of, self.diags)
            if word is None:
                return
            if word != name.value:
                self.diags.add(
                    "G0312",
                    signature_node.span,
                    f'the signature starts with "{word}", the verb is {name.value}',
                    f"start it with {name.value}",
                )
            params = found
        if name.value in self.model.verbs:
            message = f'the verb "{name.value}" is declared twice'
            self.twice(name, message, self.model.verbs[name.value].span)
            return
        self.model.verbs[name.value] = Verb(
            name.value,
            name.span,
            params,
            self.read_participle(mapping),
            self.slot(mapping, "body", "effect", name.value, clauses),
            self.slot(mapping, "only", "condition", f"{name.value}.only", clauses),
            self.result(mapping),
            self.package,
            clauses,
            signature=signature,
            uses=self.word(mapping, "abilities"),
            told=self.read_result_seen(mapping),
        )

    def declare_ability_key(self, verb: Scalar, node: Node) -> None:
        """`abilities: action` in a verb makes a key of abilities, known before any ability is read."""
        if not isinstance(node, Scalar) or not self.check_name(node):
            return
        message = f'"{node.value}" is a key of abilities already'
        if node.value in ABILITY_KEYS:
            self.diags.add("G0505", node.span, message, "take another word")
        elif node.value not in self.uses:
            self.uses[node.value] = verb.value
            self.used_at[node.value] = node.span
        elif self.uses[node.value] != verb.value:  # the same verb once more is told as such
            self.twice(node, message, self.used_at[node.value], "take another word")

    def read_participle(self, mapping: Mapping) -> str | None:
        """`done: discarded`: one word, since windows are heard by it."""
        node = mapping.get("done")
        return self.word(mapping, "done") if isinstance(node, Scalar) and self.check_name(node) else None

    def word(self, mapping: Mapping, key: str) -> str | None:
        node = mapping.get(key)
        return as_text(node, self.diags, key) if node is not None else None

    def slot(self, mapping: Mapping, key: str, start: str, owner: str, clauses: tuple[str, ...]) -> Text | None:
        node = mapping.get(key)
        return self.text(node, start, owner, clauses) if node is not None else None

    def result(self, mapping: Mapping) -> Type | None:
        node = mapping.get("result")
        if isinstance(node, Mapping):
            node = check_keys(node, ("type", "seen"), self.diags, "a result", required=("type",))
            node = node.get("type")
        return self.type(node, "result") if node is not None else None

    def read_result_seen(self, mapping: Mapping) -> bool:
        """Whether the result stands in the log: `result: {type: number, seen: everyone}`."""
        node = mapping.get("result")
        seen = node.get("seen") if isinstance(node, Mapping) else None
        if seen is None:
            return False
        text = as_text(seen, self.diags, "seen")
        if text not in ("everyone", "nobody"):
            self.diags.add("G0310", seen.span, "a result is seen by everyone or nobody")
        return text == "everyone"

    def procedure(self, name: Scalar, body: Node) -> None:
        if isinstance(body, Scalar):
            text = self.text(body, "effect", name.value)
            made = Verb(
                name.value,
                name.span,
                [],
                None,
                text,
                None,
                None,
                self.package,
                (),
                procedure=True,
                signature=f"take a {name.value}",
            )
        else:
            mapping = as_mapping(body, self.diags, f"the procedure {name.value}")
            if mapping is None:
                return
            mapping = check_keys(
                mapping,
                ("takes", "settings", "body", "result", "clause"),
                self.diags,
                "a procedure",
                required=("body",),
            )
            clauses = self.clauses(mapping)
            made = Verb(
                name.value,
                name.span,
                self.read_named_params(mapping, "takes"),
                None,
                self.slot(mapping, "body", "effect", name.value, clauses),
                None,
                self.result(mapping),
                self.package,
                clauses,
                procedure=True,
                signature=f"take a {name.value}",
                told=self.read_result_seen(mapping),
            )
            made.settings = self.read_named_params(mapping, "settings")
            made.signature += write_arguments(made.params)
        if name.value in self.model.verbs:
            self.twice(name, f'"{name.value}" is declared twice', self.model.verbs[name.value].span)
            return
        self.model.verbs[name.value] = made

    def read_named_params(self, mapping: Mapping, key: str) -> list[Param]:
        node = mapping.get(key)
        entries = as_mapping(node, self.diags, key) if node is not None else None
        out: list[Param] = []
        for name, body in entries.entries if entries is not None else ():
            type_ = self.type(body, name.value)
            if type_ is not None:
                out.append(Param(name.value, type_, None, type_.optional))
        return out

    def aim(self, name: Scalar, body: Node) -> None:
        """An amount, or `value` (one amount or several, which are added) with `only` (for whom it counts)."""
        only: Text | None = None
        value: Node | None = body
        if isinstance(body, Mapping):
            body = check_keys(body, ("only", "value"), self.diags, "an aim", required=("value",))
            value = body.get("value")
            restriction = body.get("only")
            if restriction is not None:
                only = self.text(restriction, "condition", f"aim:{name.value}:only")
        if value is None:
            return
        nodes: list[Node] = [value]
        if isinstance(value, Sequence):
            nodes = list(as_text_list(value, self.diags, f"the aim {name.value}") or [])
            if not value.items:
                hint = "write an amount, or a list of them"
                self.diags.add("G0304", value.span, f"the aim {name.value} has no value", hint)
        values = [text for node in nodes if (text := self.text(node, "amount", f"aim:{name.value}")) is not None]
        if self.free(self.model.aims, name, "aim"):
            self.model.aims[name.value] = Aim(name.value, only, values, name.span)

    # ------------------------------------------------------------ the ledger

    def rule(self, name: Scalar, body: Node) -> None:
        mapping = as_mapping(body, self.diags, f"the rule {name.value}")
        if mapping is None:
            return
        mapping = check_keys(
            mapping, ("numbers", "after", "see", "clauses"), self.diags, "a rule", required=("clauses",)
        )
        if name.value in self.model.rules:
            message = f'the rule "{name.value}" is declared twice'
            hint = "put its clauses together, or take another name"
            self.twice(name, message, self.model.rules[name.value].span, hint)
            return
        numbers = self.numbers(mapping)
        after, see = self.after(name, mapping), self.see(name, mapping)
        self.model.rules[name.value] = Rule(name.value, numbers, after, name.span, self.package, see)
        clauses_node = mapping.get("clauses")
        clauses = as_mapping(clauses_node, self.diags, "clauses") if clauses_node is not None else None
        for key, node in clauses.entries if clauses is not None else ():
            if not RULE_ID.match(key.value):
                hint = "a number, with a letter for what stands below it: 3, 3a"
                self.diags.add("G0308", key.span, f'"{key.value}" is no number of a clause', hint)
                continue
            made = self.read_clause(f"{name.value}.{key.value}", key, node)
            if made is not None:
                own = {lang: f"{number}.{key.value}" for lang, number in numbers.items()}
                made.numbers = own | made.numbers
                self.model.clauses[made.id] = made

    def read_clause(self, id_: str, key: Scalar, node: Node) -> Clause | None:
        """`rule`, or `{kind: manners, reason: ..}`; its numbers are those that differ from the rule's."""
        made = Clause(id_, "", None, {}, key.span, self.package)
        kind: str | None
        if isinstance(node, Scalar):
            kind = node.value
        else:
            entry = as_mapping(node, self.diags, f"the clause {id_}")
            if entry is None:
                return None
            keys = ("kind", "reason", "numbers", "unverified")
            entry = check_keys(entry, keys, self.diags, "a clause", required=("kind",))
            kind, made.reason, made.unverified = (self.word(entry, key) for key in ("kind", "reason", "unverified"))
            made.numbers = self.numbers(entry)
        if kind not in CLAUSE_KINDS:
            guess = did_you_mean(kind or "", CLAUSE_KINDS)
            said = f'"{kind}" is no kind of clause' + (f": did you mean {guess}?" if guess else "")
            self.diags.add("G0802", node.span, said, "rule, definition or manners")
            kind = guess or "rule"
        if kind == "manners" and not made.reason:
            message = f"the clause {id_} is table manners without a reason"
            self.diags.add("G0803", node.span, message, "reason: why no program can carry it out")
        if made.unverified is not None and not made.unverified.strip():
            message = f"the clause {id_} is unverified without a reason"
            self.diags.add("G0803", node.span, message, "unverified: what it is known from, and how certain that is")
        made.kind = kind
        return made

    def numbers(self, mapping: Mapping) -> dict[str, str]:
        node = mapping.get("numbers")
        entries = as_mapping(node, self.diags, "numbers") if node is not None else None
        out: dict[str, str] = {}
        for lang, number in entries.entries if entries is not None else ():
            text = as_text(number, self.diags, f"the number in {lang.value}")
            if text is not None:
                out[lang.value] = text
        return out

    def after(self, name: Scalar, mapping: Mapping) -> dict[str, str]:
        """`after: {ru: other}`: the entry behind which a book has this one, out of the alphabet."""
        node = mapping.get("after")
        entries = as_mapping(node, self.diags, "after") if node is not None else None
        out: dict[str, str] = {}
        for lang, other in entries.entries if entries is not None else ():
            text = as_text(other, self.diags, f"the entry in {lang.value}")
            if text is not None:
                out[lang.value] = text
                hint = "after names the rule that the book has before this one"
                self.later.append(partial(self.check_entry, name.value, other, "stand behind", hint))
        return out

    def see(self, name: Scalar, mapping: Mapping) -> tuple[str, ...] | None:
        """`see: [other]`: the related entries of a book, where they are not to be found in the texts."""
        node = mapping.get("see")
        others = as_text_list(node, self.diags, "see") if node is not None else None
        if others is None:
            return None
        for other in others:
            hint = "see names the rules that are related to this one"
            self.later.append(partial(self.check_entry, name.value, other, "be related to", hint))
        return tuple(other.value for other in others)

    def check_entry(self, name: str, other: Node, does: str, hint: str) -> None:
        assert isinstance(other, Scalar)
        if other.value == name:
            self.diags.add("G0804", other.span, f"the rule {name} cannot {does} itself", "name another rule")
        elif other.value not in self.model.rules:
            guess = did_you_mean(other.value, self.model.rules)
            message = f'unknown rule "{other.value}"' + (f": did you mean {guess}?" if guess else "")
            self.diags.add("G0804", other.span, message, hint)


def write_arguments(params: list[Param]) -> str:
    """How a call gives what a procedure takes: ` with ware <good> and fee <number> [and guest <player>]`."""
    text = ""
    for param in sorted(params, key=lambda one: one.optional):
        part = f"{'and' if text else 'with'} {param.name} <{param.type}>"
        text += f" [{part}]" if param.optional else f" {part}"
    return text
