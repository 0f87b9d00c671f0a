"""How good the checks are: `python -m tests.l10n.measure PACKAGE --lang uk --seed 301 --seed 302`, with and without the
dictionary."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from grimoire.compiler.api.translations import open_edition
from grimoire.compiler.diagnostics.report import Diagnostics, Span
from grimoire.compiler.localisation.text.cards import CardText
from grimoire.compiler.localisation.text.lexicon import load_grammar, read_lexicon
from grimoire.compiler.localisation.translation import run as l10n_check
from grimoire.compiler.localisation.translation.run import Text, check_texts, collect_texts, silence
from grimoire.compiler.localisation.translation.strings import Edition

from .sower import HELD_OUT, SEVEN, Slip, sow

ROOT = Path(__file__).parents[2]


class Result(NamedTuple):
    found: dict[str, tuple[int, int]]  # kind -> found, sown
    missed: list[Slip]
    clean: int
    flagged: list[l10n_check.Slip]
    close: int  # clean strings that would be flagged if somebody had changed them


def generated_pairs(edition: Edition, language: str, source: str = "en") -> list[Text]:
    """The texts of the cards as they are made from the effects, in two languages."""
    said: list[dict[str, str]] = []
    for id_ in (source, language):
        lexicon = read_lexicon([*edition.needs, edition.root], edition.model, id_, Diagnostics())
        assert lexicon is not None
        says = CardText(edition.model, load_grammar(id_), lexicon)
        said.append(
            {
                f"cards.{card.id}.{part.part}.{at}": part.text
                for card in says.cards()
                for at, part in enumerate(says.paragraphs(card))
                if not part.missing
            }
        )
    return [Text(key, text, said[1][key], Span.point("cards")) for key, text in said[0].items() if key in said[1]]


def measure(
    edition: Edition,
    language: str,
    texts: Sequence[Text],
    count: int,
    seed: int,
    *,
    at_hand: bool = True,
    accepted: bool = False,
    beside: Sequence[Text] = (),
) -> Result:
    """A slip counts as found if its string has a finding that it had not before, even at its closest; a clean string
    with any finding is flagged."""
    slips = {slip.id: slip for slip in sow(edition, language, texts, count, seed)}
    package = edition if at_hand else None
    texts = [text._replace(standing="accepted" if accepted else "new") for text in texts]
    loud = [text._replace(standing="changed" if accepted else "new") for text in texts]

    def checked(rows: Sequence[Text]) -> list[l10n_check.Slip]:
        """What the command tells: without what the package silences."""
        found = check_texts(language, "en", rows, package, beside=beside)
        found = silence(package, language, found) if package is not None else found
        return [row for row in found if row.check != "silenced"]

    before = {(row.id, row.check, row.message) for row in checked(loud)}
    sown = [
        text._replace(target=slips[text.id].after, standing="changed" if accepted else "new")
        if text.id in slips
        else text
        for text in texts
    ]
    after = checked(sown)
    new = {row.id for row in after if (row.id, row.check, row.message) not in before}
    found: dict[str, tuple[int, int]] = {}
    for slip in slips.values():
        done, whole = found.get(slip.kind, (0, 0))
        found[slip.kind] = (done + (slip.id in new), whole + 1)
    missed = [slip for slip in slips.values() if slip.id not in new]
    return Result(
        found,
        missed,
        len(texts) - len(slips),
        [row for row in after if row.id not in slips],
        len({row[0] for row in before}),
    )


def added(results: Sequence[Result]) -> tuple[dict[str, tuple[int, int]], int, int]:
    found: dict[str, tuple[int, int]] = {}
    for result in results:
        for kind, (done, whole) in result.found.items():
            one, two = found.get(kind, (0, 0))
            found[kind] = (one + done, two + whole)
    return found, sum(len({row.id for row in result.flagged}) for result in results), sum(r.clean for r in results)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.l10n.measure")
    parser.add_argument("package")
    parser.add_argument("--lang", default="uk")
    parser.add_argument("--seed", type=int, action="append")
    parser.add_argument("--count", type=int, default=198)
    parser.add_argument("--no-dictionary", action="store_true")
    parser.add_argument(
        "--generated", action="store_true", help="the texts of the cards, with those of the package beside them"
    )
    parser.add_argument("--alone", action="store_true", help="as of a PO file without the package")
    parser.add_argument("--accepted", action="store_true", help="all texts were accepted before the slips were made")
    parser.add_argument("--missed", action="store_true", help="show what was not found, and what was flagged")
    args = parser.parse_args()
    if args.missed and set(args.seed or HELD_OUT) & set(HELD_OUT):
        print("what is missed of held-out seeds is not to be looked at", file=sys.stderr)
        return 2
    if args.no_dictionary:
        l10n_check.is_installed = lambda language: False  # type: ignore[assignment]
    edition = open_edition(str(ROOT / "content" / args.package))
    texts = collect_texts(edition, args.lang, "en")
    beside: Sequence[Text] = ()
    if args.generated:
        texts, beside = generated_pairs(edition, args.lang), texts
    results = []
    for seed in args.seed or HELD_OUT:
        result = measure(
            edition, args.lang, texts, args.count, seed, at_hand=not args.alone, accepted=args.accepted, beside=beside
        )
        results.append(result)
        for slip in result.missed if args.missed else ():
            source = next(text.source for text in texts if text.id == slip.id)
            print(f"MISSED {slip.kind} {slip.id}\n   {source}\n   {slip.before}\n   {slip.after}")
        for row in result.flagged if args.missed else ():
            text = next(text for text in texts if text.id == row.id)
            print(f"FLAGGED {row.check} {row.id}: {row.message}\n   {text.source}\n   {text.target}")
    found, flagged, clean = added(results)
    done, whole = sum(row[0] for row in found.values()), sum(row[1] for row in found.values())
    print(" ".join(f"{kind} {a}/{b}" for kind, (a, b) in found.items()))
    if args.accepted:
        print(
            f"of clean strings, had they been changed: {results[0].close}/{len(texts)} = "
            f"{results[0].close / len(texts):.1%}"
        )
    first = [found[kind] for kind in SEVEN if kind in found]
    print(f"the first seven kinds: {sum(row[0] for row in first) / sum(row[1] for row in first):.1%}")
    print(
        f"{args.package} {args.lang}: {done}/{whole} = {done / whole:.1%}; flagged {flagged}/{clean} = "
        f"{flagged / clean:.1%}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
