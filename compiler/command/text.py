"""The command `text`: the rules text of cards in a language, made from their effects.

In: the parsed command line. Out: an exit code, and the texts on stdout, readable or as JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grimoire.compiler.api.build import compile_path
from grimoire.compiler.command.common import FINDINGS, FINE, print_json
from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.localisation.languages import WORDED
from grimoire.compiler.localisation.text.cards import CardText
from grimoire.compiler.localisation.text.lexicon import load_grammar
from grimoire.compiler.resolve import package_folder
from grimoire.compiler.telling import WrongUse, guess, list_names, make_printable, say
from grimoire.runtime.plain_data import Json
from grimoire.runtime.wording.words import Words

if TYPE_CHECKING:
    import argparse


def text_command(args: argparse.Namespace) -> int:
    made = compile_path(package_folder(args.package))
    language = args.lang or made.manifest.languages[0]
    if language in made.manifest.languages and language not in WORDED:
        raise WrongUse(f"texts of cards can be made in {list_names([*WORDED])}, not in '{make_printable(language)}'")
    if language not in made.manifest.languages:
        raise WrongUse(f"{made.manifest.id} is not worded in '{language}': {list_names(made.manifest.languages)}")
    lexicon = made.workspace.lexicon(made.package, language)
    if lexicon is None:
        raise WrongUse(
            f"{made.manifest.id} has no words in '{language}': it needs the section terms in text/{language}.yaml"
        )
    says, words = CardText(made.model, load_grammar(language), lexicon), Words(made.artefact, language)
    there = {card.id: card for card in says.cards()}
    there |= {id_: card for id_, card in made.model.definitions.items() if id_ not in there and words.flavour(id_)}
    asked = {name: says.find_meant(name) or [card for card in there.values() if card.id == name] for name in args.cards}
    for name, meant in asked.items():
        if not meant:
            raise WrongUse(f"{made.manifest.id} has no card '{name}' with a text{guess(name, [*there])}")
    missing: set[tuple[str, str]] = set()
    cards: list[dict[str, Json]] = []
    lines: list[str] = []
    for card in [card for meant in asked.values() for card in meant] or there.values():
        parts = list(says.paragraphs(card))
        missing.update(word for part in parts for word in part.missing)
        told = [{"id": part.part, "text": part.text} for part in parts]
        row: dict[str, Json] = {"id": card.id, "name": heading(made.model, words, card.id), "parts": told}
        flavour = words.flavour(card.id)
        cards.append(row if flavour is None else row | {"flavour": flavour})
        lines += [heading(made.model, words, card.id), *(f"  {part.text}" for part in parts)]
        lines += [] if flavour is None else [f"    {flavour}"]
    if args.json:
        print_json(
            {"language": language, "cards": cards, "missing": sorted(f"{sort} {name}" for sort, name in missing)}
        )
    else:
        for line in lines:
            print(line)
    for sort, name in sorted(missing):
        say(f"no words for the {sort} {name}: grimoire check says where")
    return FINDINGS if missing else FINE


def heading(model: PackageModel, words: Words, id_: str) -> str:
    """What stands above a text: the name of the card, or the choice that an ability of the game is offered as."""
    if id_ not in model.abilities:
        return words.name(id_)
    return str(words.text.get("choices", {}).get(id_) or words.own_text("rule"))
