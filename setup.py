"""Build the compiled modules. Everything else about the package is in pyproject.toml.

Environment:
    FUKUMI_DEBUG=1     asserts, bounds checks and an annotated HTML page for every module.
    FUKUMI_SANITIZE=1  AddressSanitizer and UndefinedBehaviorSanitizer (gcc and clang); implies the debug build.
    FUKUMI_PROFILE=write|use  gcc: modules that write down how often each branch is taken, beside the object files in
                       build/; then the same modules, faster by what was written (see CONTRIBUTING.md).
"""

import os
import sys
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

SANITIZE = os.environ.get("FUKUMI_SANITIZE", "0") not in ("", "0")
DEBUG = SANITIZE or os.environ.get("FUKUMI_DEBUG", "0") not in ("", "0")
MSVC = sys.platform == "win32"
PROFILE = {
    "": [],
    "write": ["-fprofile-generate"],
    "use": ["-fprofile-use", "-fprofile-partial-training", "-Wno-missing-profile"],
}
profile = os.environ.get("FUKUMI_PROFILE", "")
if profile not in PROFILE or (profile and (MSVC or DEBUG)):
    raise SystemExit(f"FUKUMI_PROFILE={profile}: it can be write or use, with gcc and without the debug build")

DIRECTIVES = {
    "language_level": 3,
    "auto_pickle": False,
    "binding": True,
    "boundscheck": DEBUG,
    "cdivision": True,
    "embedsignature": False,
    "initializedcheck": False,
    "nonecheck": False,  # needs the GIL wherever it looks
    "overflowcheck": False,
    "wraparound": False,
}


def compile_args() -> list[str]:
    """Compiler switches; never -march=native, so that a wheel runs on every machine of its platform."""
    if MSVC:
        return ["/std:c11", "/experimental:c11atomics"] + (["/Od"] if DEBUG else ["/O2"])
    args = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-ffp-contract=off", "-fvisibility=hidden"]
    if SANITIZE:
        args += ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
    return args + PROFILE[profile] + (["-O1", "-g", "-UNDEBUG"] if DEBUG else ["-O3"])


def link_args() -> list[str]:
    """What the linker needs for the compiler's switches."""
    if SANITIZE:
        return ["-fsanitize=address,undefined"]
    return ["-fprofile-generate"] if profile == "write" else []


def extensions() -> list[Extension]:
    """One extension for each compiled module; all depend on every header of the core, nested ones included."""
    headers = sorted(glob("csrc/*.h")) + sorted(glob("gomoku/_core/*.pxd"))
    sources = glob(os.path.join("gomoku", "_core", "*.pyx")) + glob(os.path.join("gomoku", "classics", "*.pyx"))
    macros = [] if DEBUG else [("CYTHON_WITHOUT_ASSERTIONS", "1")]
    return [
        Extension(
            source.removesuffix(".pyx").replace(os.sep, "."),
            [source],
            include_dirs=["csrc"],
            depends=headers + sorted(glob(os.path.join(os.path.dirname(source), "*.pxd"))),
            define_macros=macros,
            extra_compile_args=compile_args(),
            extra_link_args=link_args(),
        )
        for source in sorted(sources)
    ]


setup(ext_modules=cythonize(extensions(), compiler_directives=DIRECTIVES, annotate=DEBUG))
