"""Nanoseconds of the core's inner operations; run it as a script. Compare two versions in one sitting, never alone.

python tests/bench/micro.py
"""

from __future__ import annotations

import subprocess
import sys
from statistics import median

from gomoku import Board, Rule
from gomoku._core._probe import PositionProbe

MIDDLE_GAME = "h8i9g7j10h10g9i7f8h6h9"
MANY_FOURS = "m7e10l11c13e8f8f7m6d9g9f10d5k5c11h4e7f12g6g10e11i3k12h10l10d8h12f4m13k13j7"
ROUNDS = 5


def build_ms(rule: Rule) -> float:
    """Milliseconds to build a rule's tables, in a process of its own."""
    code = (
        "import time; from gomoku import Board, Rule; from gomoku._core._probe import PositionProbe\n"
        f"start = time.perf_counter(); PositionProbe(Board(15, rule=Rule({int(rule)})))\n"
        "print((time.perf_counter() - start) * 1e3)"
    )
    return float(subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True).stdout)


def main() -> None:
    """Print medians, one line for each rule."""
    for rule in Rule:
        probe = PositionProbe(Board.from_text(MIDDLE_GAME, origin="top", rule=rule))
        push_pop = median(probe.time_push_pop(1_000) for _ in range(ROUNDS))
        evaluation = median(probe.time_evaluate(100_000) for _ in range(ROUNDS))
        fours = PositionProbe(Board.from_text(MANY_FOURS, origin="top", rule=rule))
        vcf = median(fours.time_vcf(41, 10)[0] for _ in range(ROUNDS))
        print(
            f"{rule.label:10s} push+pop {push_pop:6.0f} ns   evaluate {evaluation:5.1f} ns   "
            f"VCF node {vcf:6.0f} ns   tables {build_ms(rule):6.1f} ms"
        )


if __name__ == "__main__":
    main()
