"""Let a fuzzer loose on the YAML reader, the effect parser and the artefact loader: `python -m tests.soak.fuzzers
--seconds 600`.

With atheris (`pip install -e '.[fuzz]'`) inputs are grown by what they reach in the code; where it is not installed,
hypothesis changes the kept inputs in a seeded loop, and the row says so. What is found is cut down and lies in the
folder that the finding names; `--keep` puts it, and inputs that reach something new, into tests/hostile/corpus.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
TARGETS = ("yaml_reader", "effect_parser", "artefact_loader")
FOUND = ROOT / "build" / "fuzz"  # where what is found is put
LONGEST = {"yaml_reader": 6000, "effect_parser": 1500, "artefact_loader": 25_000}  # bytes of an input
KEPT = 2000  # bytes of an input that is kept
FULL = 90_000  # bytes of the kept inputs of one target
SLOW = 10  # seconds of one input
MOST = 20  # runs of libFuzzer, each of which ends with what it finds


def atheris_run(target: str, arguments: list[str]) -> None:
    """In a process of its own, which libFuzzer ends."""
    import atheris  # type: ignore[import-not-found, unused-ignore]

    with atheris.instrument_imports(include=["grimoire"]):
        from tests.hostile.fuzz_targets import TARGETS as functions
        from tests.hostile.fuzz_targets import corpus
    from tests.hostile.change_json import change_document
    from tests.hostile.change_text import change_words, vocabulary

    words = vocabulary([data.decode("utf-8", "replace") for data in corpus(target)])

    def mutate(data: bytes, longest: int, seed: int) -> bytes:
        """Half of the inputs are changed by what they say, the others by libFuzzer."""
        rng = random.Random(seed)
        if rng.random() < 0.5:
            return bytes(atheris.Mutate(data, longest))
        if target != "artefact_loader":
            return change_words(data, rng, words)[:longest]
        try:
            return json.dumps(change_document(json.loads(data), rng), separators=(",", ":")).encode()[:longest]
        except (ValueError, RecursionError, IndexError):
            return bytes(atheris.Mutate(data, longest))

    atheris.Setup([sys.argv[0], *arguments], functions[target], custom_mutator=mutate)
    atheris.Fuzz()


def with_atheris(target: str, seconds: int, seed: int, keep: bool) -> dict[str, Any]:
    """libFuzzer from the kept inputs, again with another seed behind everything it finds; new inputs are merged
    afterwards."""
    FOUND.mkdir(parents=True, exist_ok=True)
    kept = ROOT / "tests" / "hostile" / "corpus" / target
    row: dict[str, Any] = {"runs": 0, "covered": 0, "megabytes": 0}
    findings: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        grown = Path(folder) / "grown"
        grown.mkdir()
        until, turn = time.monotonic() + seconds, 0
        while (left := round(until - time.monotonic())) > 0 and turn < MOST:
            turn += 1
            line = [
                f"-max_total_time={left}",
                f"-max_len={LONGEST[target]}",
                f"-seed={1000 * seed + turn}",
                f"-timeout={SLOW}",
            ]
            line += ["-rss_limit_mb=1024", f"-artifact_prefix={FOUND}/{target}-", "-print_final_stats=1"]
            done = call(target, [*line, str(grown), str(kept)], left + 120)
            output = done.stdout + done.stderr
            row["runs"] += max(map(int, re.findall(r"stat::number_of_executed_units: *(\d+)", output)), default=0)
            row["covered"] = max(map(int, re.findall(r"cov: (\d+)", output)), default=row["covered"])
            row["megabytes"] = max([row["megabytes"], *map(int, re.findall(r"stat::peak_rss_mb: *(\d+)", output))])
            if not done.returncode:
                break
            said = re.search(r"=== Uncaught Python exception: ===\n(.*?)\n(?:\n|==)", output, re.DOTALL)
            what = said[1].strip() if said else output[-1500:]
            key = re.sub(r"[0-9]+|'.*'|\".*\"", "", what.split("\n")[0])
            if key not in findings:
                files = re.findall(r"Test unit written to (\S+)", output)
                findings[key] = told(target, what, Path(files[-1]) if files else None)
        row["grown"] = len(list(grown.iterdir()))
        if keep:
            row["kept"] = merge(target, grown)
    return row | {"findings": list(findings.values()), "with": "atheris"}


def call(target: str, arguments: list[str], longest: int) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "tests.soak.fuzzers", "--child", target, *arguments]
    return subprocess.run(
        line, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False, timeout=longest
    )


def told(target: str, what: str, file: Path | None) -> str:
    """What was found, with the file that shows it, cut down."""
    if file is None or not file.is_file():
        return f"{target}: {what}"
    small = file.with_name(file.name + ".small")
    small.write_bytes(cut_down(target, file.read_bytes()))
    again = f"python -m tests.hostile.fuzz_targets {target} {small.relative_to(ROOT)}"
    return f"{target}: {what}\n  {again}\n  {small.read_bytes()[:400]!r}"


def cut_down(target: str, data: bytes) -> bytes:
    """An input without the bytes that its failure does not need."""
    from tests.hostile.fuzz_targets import TARGETS as functions
    from tests.hostile.watch import fewer, key_of
    from tests.hostile.watch import told as why

    def failure(tried: bytes) -> str | None:
        try:
            functions[target](tried)
        except Exception as error:
            return key_of(why(error)[0])
        return None

    kept = failure(data)
    return data if kept is None else bytes(fewer(list(data), lambda rest: failure(bytes(rest)) == kept))


def reached(target: str, data: bytes) -> set[tuple[str, int]]:
    """The lines of the compiler and the runtime that an input comes to."""
    from tests.hostile.fuzz_targets import TARGETS as functions

    lines: set[tuple[str, int]] = set()

    def local(frame: FrameType, event: str, _: object) -> Any:
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return local

    def calls(frame: FrameType, event: str, argument: object) -> Any:
        return local if re.search(r"/(compiler|runtime)/", frame.f_code.co_filename) else None

    sys.settrace(calls)
    try:
        functions[target](data)
    finally:
        sys.settrace(None)
    return lines


def merge(target: str, grown: Path) -> int:
    """Keep those new inputs that come to lines to which no kept one comes, smallest first, as long as there is room;
    how many."""
    from tests.hostile.fuzz_targets import corpus
    from tests.hostile.fuzz_targets import keep as keep_input

    kept = corpus(target)
    room = FULL - sum(map(len, kept))
    known = {line for data in kept for line in reached(target, data)}
    count = 0
    for path in sorted(grown.iterdir(), key=lambda path: (path.stat().st_size, path.name)):
        data = path.read_bytes()
        if len(data) <= min(KEPT, room) and (new := reached(target, data) - known):
            known |= new
            room -= len(data)
            count += 1
            keep_input(target, data)
    return count


def with_hypothesis(target: str, seconds: float, seed: int) -> dict[str, Any]:
    """The kept inputs changed at random, in rounds with seeds of their own."""
    from hypothesis import HealthCheck, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    from tests.hostile.change_json import change_encoded
    from tests.hostile.change_text import change_words, vocabulary
    from tests.hostile.fuzz_targets import TARGETS as functions
    from tests.hostile.fuzz_targets import corpus

    inputs = corpus(target)
    words = vocabulary([data.decode("utf-8", "replace") for data in inputs])
    runs = 0

    def changed(data: bytes, rng: random.Random, often: int) -> bytes:
        for _ in range(often):
            data = change_words(data, rng, words) if rng.random() < 0.6 else change_encoded(data, rng)
        return data[: LONGEST[target]]

    strategy = st.one_of(
        st.binary(max_size=200),
        st.builds(changed, st.sampled_from(inputs), st.randoms(use_true_random=False), st.integers(0, 8)),
    )
    findings: list[str] = []
    until, turn = time.monotonic() + seconds, 0
    while time.monotonic() < until and not findings:

        @seeded(seed * 1_000_000 + turn)
        @settings(max_examples=200, database=None, deadline=None, suppress_health_check=list(HealthCheck))
        @given(strategy)
        def look(data: bytes) -> None:
            nonlocal runs
            runs += 1
            functions[target](data)

        try:
            look()
        except Exception as error:
            findings.append(f"{target}: {type(error).__name__}: {error} (seed {seed}, turn {turn})")
        turn += 1
    return {"runs": runs, "findings": findings, "with": "hypothesis: atheris is not installed"}


def run_fuzzers(
    seconds: int, seed: int, tell: Callable[[str], None], targets: tuple[str, ...] = TARGETS, keep: bool = False
) -> list[dict[str, Any]]:
    """Each target for so many seconds, one after the other; a row for each."""
    rows = []
    for target in targets:
        began = time.monotonic()
        if find_spec("atheris") is not None:
            row = with_atheris(target, seconds, seed, keep)
        else:
            row = with_hypothesis(target, seconds, seed)
        row = {"probe": "fuzzer", "target": target, "seed": seed, "seconds": round(time.monotonic() - began), **row}
        rows.append(row | {"found": len(row["findings"])})
        tell(f"{target}: {row}")
    return rows


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.fuzzers", description=__doc__)
    parser.add_argument("--seconds", type=int, default=600, help="for each target")
    parser.add_argument("--target", action="append", choices=TARGETS, help="only this one (may be said several times)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", action="store_true", help="put new inputs into the kept corpus")
    given = parser.parse_args(arguments)
    rows = run_fuzzers(
        given.seconds,
        given.seed,
        lambda text: print(text, file=sys.stderr, flush=True),
        tuple(given.target or TARGETS),
        given.keep,
    )
    print(json.dumps(rows, ensure_ascii=False, indent=1))
    return 1 if any(row["findings"] for row in rows) else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        os.environ["GRIMOIRE_CACHE"] = "off"
        atheris_run(sys.argv[2], sys.argv[3:])
    sys.exit(main())
