"""From a fuzzer's bytes to what a manager or a brain might write: most bytes stand for a word of the protocol.

A fuzzer that changes single bytes never finds ``YXQUERYDATABASEALL``; one that changes the numbers of words does.
"""

from __future__ import annotations

import re

from gomoku.protocol.grammar import BOARD_WORDS, INFO_NUMBERS, SWALLOWED_LINES, SWALLOWED_LISTS, SWALLOWED_PATHS

LINE = re.compile(
    r"OK|MESSAGE \S.*|DEBUG \S.*|FORBID ([0-9]{4})*\.|ERROR \S.*|UNKNOWN \S.*|SWAP|INFO [A-Z]+ \S.*"
    r"|[0-9]+,[0-9]+( [0-9]+,[0-9]+)*|name=\".*"
)
"""What a brain may say."""

MOVE = re.compile(r"[0-9]+,[0-9]+")

AFTERWARDS = (
    b"\nEND_OF_INPUT\nDONE\nINFO player fukumi\nINFO strength 100\nINFO rule 0\nINFO timeout_turn 1000\n"
    b"INFO timeout_match 0\nINFO time_left 2147483647\nINFO max_node 60\nINFO max_depth 0\n"
)
"""Brings a brain back to ordinary settings, whatever it was told before."""

LINE_ENDS = (b"\n", b"\r\n", b"\r", b"\n\n")

_PLAIN = (
    b"START", b"RECTSTART", b"RESTART", b"BEGIN", b"TURN", b"TAKEBACK", b"PLAY", b"INFO", b"ABOUT", b"STOP", b"DONE",
    b"done", b"turn", b"YXSTOP", b"YXSHOWFORBID", b"YXSHOWINFO", b"YXNBEST", b"YXBALANCEONE", b"YXBALANCETWO",
    b"YXSEARCHDEFEND", b"YXSWAP2STEP1", b"YXHASHCLEAR", b"YXSHOWHASHUSAGE", b"FOO",
    b"evaluate", b"folder", b"player", b"level-3", b"level-8", b"winlines", b"chains", b"field", b"fukumi",
)  # fmt: skip
_NUMBERS = (
    b"0", b"1", b"2", b"4", b"5", b"8", b"9", b"12", b"15", b"20", b"22", b"23", b"50", b"100", b"-1", b"-500",
    b"2147483647", b"4294967296", b"9223372036854775807", b"-9223372036854775809", b"99999999999999999999999999",
    b"7.5", b"1e9", b"0x10",
)  # fmt: skip
_POINTS = (
    b"7,7", b"8,8", b"7,8", b"0,0", b"0,4", b"4,0", b"1,1", b"2,2", b"3,3", b"14,14", b"19,19", b"21,21", b"-1,-1",
    b"7,7,1", b"8,8,2", b"7,8,1", b"8,7,2", b"6,6,1", b"5,5,2", b"4,4,3", b"0,0,1", b"1,0,1", b"2,0,1", b"3,0,1",
    b"4,0,1", b"0,1,2", b"1,1,2", b"2,1,2", b"3,1,2", b"4,1,2", b"7,7,4", b"7;7", b"7 , 7", b"99,99",
)  # fmt: skip
_REPLIES = (
    b"OK", b"SWAP", b"MESSAGE", b"DEBUG", b"ERROR", b"UNKNOWN", b"FORBID", b"SUGGEST", b"REALTIME", b"name=\"x\"",
    b"version=\"1\"", b"depth", b"9-15", b"ev", b"+M5", b"120", b"pv", b"H8", b"tm", b"n", b"|", b"07070812.",
    b"(2) 120 | 9-15 | H8 I9", b"multipv",
)  # fmt: skip
_NOISE = (b"\0", b"\xef\xbb\xbf", b"\xff", b"\xc3\x28", b"\t", b"\x1c", b"\xe2\x80\xa8", b"x" * 300, b"\x7f", b"'")

_ALMOST_FULL = "\t".join(f"{x},{y},{1 + (x // 2 + y) % 2}" for y in range(5) for x in range(5) if x + y < 8)
_FOURS = "\t".join(f"{x},{y},{1 + y}" for x in range(4) for y in range(2))

_OTHER = sorted(BOARD_WORDS | INFO_NUMBERS | SWALLOWED_LINES | SWALLOWED_LISTS | SWALLOWED_PATHS)

TOKENS: tuple[bytes, ...] = (
    _PLAIN + _NUMBERS + _POINTS + tuple(word.encode() for word in (*_OTHER, _ALMOST_FULL, _FOURS))
)
REPLY_TOKENS: tuple[bytes, ...] = _REPLIES + _NUMBERS + _POINTS + _PLAIN[:12]

END_BYTE = 247
_LINE_END, _COMMA, _NOISE_FROM, _RAW = 200, 215, 220, 248
_LONG = 24_000


def spell(data: bytes, tokens: tuple[bytes, ...] = TOKENS) -> bytes:
    r"""Return the stream of bytes that a fuzzer's input stands for.

    Bytes below 200 are words, each followed by a blank; then come line ends, commas, noise, ``END``, and bytes that say
    that the byte behind them is meant literally. 246 is a line of 24 kB.

    Example:
        >>> spell(bytes([0, 41, 200]))
        b'START 15 \n'
    """
    stream = bytearray()
    codes = iter(data)
    for code in codes:
        if code < _LINE_END:
            stream += tokens[code % len(tokens)] + b" "
        elif code < _COMMA:
            stream += LINE_ENDS[code % len(LINE_ENDS)]
        elif code < _NOISE_FROM:
            stream += b","
        elif code < END_BYTE - 1:
            stream += _NOISE[code % len(_NOISE)]
        elif code == END_BYTE - 1:
            stream += b"7" * _LONG + b"\n"
        elif code == END_BYTE:
            stream += b"\nEND\n"
        else:
            stream.append(next(codes, _RAW))
    return bytes(stream)


def code_of(token: bytes, tokens: tuple[bytes, ...] = TOKENS) -> int:
    """Return the byte that stands for a word."""
    return tokens.index(token)


def encode(text: str) -> bytes:
    r"""Return the fuzzer's input for lines of known words; the seeds are written like this.

    Example:
        >>> spell(encode("START 15\nTURN 7,7\n"))
        b'START 15 \nTURN 7,7 \n'
    """
    codes = bytearray()
    for line in text.splitlines():
        codes += bytes(code_of(word.encode()) for word in line.split(" "))
        codes.append(_LINE_END)
    return bytes(codes)


_CONVERSATIONS = (
    "START 15\nINFO rule 4\nTURN 7,7\nTURN 8,8",
    "START 20\nBOARD\n7,7,1\n8,8,2\n4,4,3\nDONE\nTAKEBACK 7,7\nRESTART\nBEGIN",
    "RECTSTART 20 15\nYXSHOWINFO\nYXBOARD 7,7,1 8,8,2 DONE\nYXNBEST 4\nYXSHOWFORBID\nYXSTOP",
    "START 5\nSWAP2BOARD\n0,0\n1,1\n2,2\nDONE\nSWAP2BOARD\nDONE",
    "INFO player level-3\nSTART 15\nBOARD\n7,7,1\n8,8,2\nDONE\nINFO strength 50\nTURN 0,0",
    "START 9\nINFO rule 9\nINFO max_node 50\nYXHASHDUMP\nFOO\nYXBLOCK 7,7 DONE\nPLAY 0,0\nINFO evaluate 7,7",
    f"START 5\nBOARD {_ALMOST_FULL} DONE\nBEGIN",
    f"START 15\nBOARD {_FOURS} DONE\nTURN 8,8",
)
_LINES = (
    "START 5", "RECTSTART 9 5", "RESTART", "BEGIN", "ABOUT", "STOP", "YXSTOP", "YXSHOWINFO", "YXSHOWFORBID", "TURN 7,7",
    "TURN 8,8", "TURN 0,0", "turn 1,1", "TAKEBACK 7,7", "PLAY 7,8", "YXNBEST 4", "YXSEARCHDEFEND", "YXBALANCEONE 0",
    "YXBALANCETWO 100", "YXSWAP2STEP1", "YXHASHCLEAR", "YXSHOWHASHUSAGE", "SWAP2BOARD DONE", f"BOARD {_FOURS} DONE",
    f"YXBOARD {_ALMOST_FULL} DONE", "INFO rule 4", "INFO rule 1", "INFO timeout_turn 0", "INFO time_left 100",
    "INFO timeout_match 1", "INFO strength 0", "INFO strength 50", "INFO player winlines", "INFO player fukumi",
    "INFO show_detail 23", "INFO max_depth 2", "INFO max_node 1", "INFO hash_size 2147483647", "INFO max_memory 100",
    "INFO thread_num 2",
)  # fmt: skip

SEEDS: tuple[bytes, ...] = tuple(b"\x07" + encode(text) for text in (*_CONVERSATIONS, *_LINES))
"""Inputs to begin with: conversations, and lines to make others of. The first byte says how to feed what follows."""
