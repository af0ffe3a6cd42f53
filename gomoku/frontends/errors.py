"""What can go wrong with a brain in a process of its own."""

from __future__ import annotations

from gomoku.types import GomokuError


class EngineError(GomokuError):
    """A brain refused or failed; base of the more telling errors."""


class EngineTimeoutError(EngineError):
    """A brain did not answer in time. It may still answer, so close it.

    Attributes:
        question: the command that was to be answered.
        seconds: how long its answer was waited for.
    """

    def __init__(self, question: str, seconds: float, complaint: str = "") -> None:
        hint = f"; its last complaint was: {complaint}" if complaint else ""
        super().__init__(f"no answer to {question} within {seconds:g} s{hint}")
        self.question = question
        self.seconds = seconds


class EngineTerminatedError(EngineError):
    """A brain's process has ended, or it has closed its output.

    Attributes:
        exit_code: exit status, negative for a signal; ``None`` if the process lived on with its output closed.
        error_text: the end of what it wrote to standard error.
    """

    def __init__(self, exit_code: int | None, error_text: str = "") -> None:
        what = "closed its output" if exit_code is None else f"exited with status {exit_code}"
        last = "".join(c if c.isprintable() else "?" for c in error_text.splitlines()[-1]) if error_text else ""
        super().__init__(f"the brain {what}" + (f": {last}" if last else ""))
        self.exit_code = exit_code
        self.error_text = error_text
