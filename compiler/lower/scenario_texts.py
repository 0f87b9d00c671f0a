"""Lower texts beside a package: those of its scenarios.

In: a vocabulary and the model that it was made of. Out: units that can be linked behind those of the package.
"""

from __future__ import annotations

from grimoire.compiler.declare.model import PackageModel
from grimoire.compiler.lower.output import LoweredUnit
from grimoire.compiler.lower.units import ConditionUnit, EffectUnit, lower_unit
from grimoire.compiler.lower.vocabulary import Vocabulary
from grimoire.compiler.records import field, record


@record()
class ScenarioTexts:
    """Texts that are lowered one after the other."""

    vocabulary: Vocabulary
    model: PackageModel
    units: list[LoweredUnit] = field(default_factory=list)
    known: dict[tuple[str, int], LoweredUnit] | None = None  # for whoever wants no rows: what texts gave that are right

    def add(self, unit: EffectUnit | ConditionUnit) -> LoweredUnit:
        """Lower one more text. Its diagnostics are the caller's to report."""
        key = (f"{unit.text.start} {unit.text.text}", unit.seats)
        made = None if self.known is None else self.known.get(key)
        if made is None:
            made = lower_unit(self.vocabulary, unit, placed=self.known is None)
            if self.known is not None and unit.text.ok and not made.diagnostics:
                self.known[key] = made
        self.units.append(made)
        return made
