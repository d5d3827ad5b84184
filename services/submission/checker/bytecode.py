"""Compiles packages, so that each bot that imports them does not have to: bytecode.py <folder>, with the paths of the
sources in it on standard input, separated by null bytes.

Runs none of their code. The sources are untrusted and may crash the compiler or exhaust its limits: the caller limits the time
and uses the files that were written by then. Files that cannot be compiled are skipped.
"""

import importlib.util
import os
import py_compile
import resource
import sys

MAX_MEMORY = 1 << 30
# Archives store no modification times, and bots see the folder read-only, so checks against the source are useless.
MODE = py_compile.PycInvalidationMode.UNCHECKED_HASH


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    folder = sys.argv[1]
    for path in sys.stdin.read().split("\0"):
        source = os.path.join(folder, path)
        try:
            py_compile.compile(source, importlib.util.cache_from_source(source), path, doraise=True, invalidation_mode=MODE)
        except Exception:  # noqa: BLE001  (any package may hold files of another Python, or templates)
            continue


if __name__ == "__main__":
    main()
