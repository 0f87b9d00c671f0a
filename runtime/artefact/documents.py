"""Plain data: canonical JSON, JSON from outside read strictly, and the signature of a document."""

from __future__ import annotations

import hmac
import json
from typing import Final, NoReturn

from grimoire.runtime.errors import GrimoireError, SetupError, SignatureMismatch
from grimoire.runtime.plain_data import Document, Json

MOST_BYTES: Final = 64 * 1024 * 1024
LEAST_KEY: Final = 16
SIGNED: Final = "hmac-sha256"


def canonical(value: Json) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def read_json(data: bytes, what: str, error: type[GrimoireError]) -> Json:
    """JSON from outside. Refused: names that come twice, numbers that are none, endless numbers and endless nesting."""
    if len(data) > MOST_BYTES:
        raise error(f"{what} is too large: {len(data)} bytes, at most {MOST_BYTES}")

    def once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found = dict(pairs)
        if len(found) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for at, name in enumerate(names) if name in names[:at])
            raise ValueError(f"{twice[:60]!r} stands twice in one object")
        return found

    def number(text: str) -> NoReturn:
        raise ValueError(f"{text} is no number of JSON")

    try:
        read: Json = json.loads(data, object_pairs_hook=once, parse_constant=number)
        return read
    except RecursionError:
        raise error(f"{what} is nested too deeply") from None
    except ValueError as wrong:
        raise error(f"{what} is not complete JSON: {wrong}") from None


def sign(document: Document, key: bytes) -> dict[str, Json]:
    """The document with the signature of everything in it."""
    return {**document, "signature": _signature(document, key)}


def verify(document: Document, key: bytes, what: str) -> None:
    """Refuse a document that was not signed with the key, or was changed since."""
    stated = document.get("signature")
    if not isinstance(stated, str):
        raise SignatureMismatch(f"{what} has no signature, and a key was given: who wrote it is not known")
    rest = {name: value for name, value in document.items() if name != "signature"}
    if not hmac.compare_digest(stated.encode("utf-8", "replace"), _signature(rest, key).encode("ascii")):
        raise SignatureMismatch(f"{what} was changed, or signed with another key: its signature does not fit")


def _signature(document: Document, key: bytes) -> str:
    if not isinstance(key, bytes | bytearray) or len(key) < LEAST_KEY:
        raise SetupError(f"a key is at least {LEAST_KEY} bytes, for example of secrets.token_bytes(32)")
    return hmac.new(key, canonical(document), "sha256").hexdigest()
