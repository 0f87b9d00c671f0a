"""The edition of the large game and what an audit knows of it, made once in a process: the tests only read them."""

from __future__ import annotations

import pytest

from grimoire.compiler.api.translations import open_edition
from grimoire.compiler.localisation.audit.run import Audit
from grimoire.compiler.localisation.translation.strings import Edition
from tests.packages import CONTENT


@pytest.fixture(scope="session")
def large_edition() -> Edition:
    return open_edition(str(CONTENT / "unfathomable"))


@pytest.fixture(scope="session")
def unfathomable(large_edition: Edition) -> Audit:
    return Audit(large_edition)
