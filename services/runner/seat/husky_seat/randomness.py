"""Repeatable randomness of one seat: the string hash seed of its interpreter, and the generators of `random` and numpy."""

import functools
import importlib.abc
import importlib.machinery
import random
import struct
import sys
from typing import Any, Callable, Optional, Sequence

SEED_BYTES = 32
HASH_SEEDS = 8
"""Number of string hash seeds. Each has a parent process of its own (7.5 MiB), because an interpreter's hash seed is fixed when it starts."""


def hash_seed_of(seed: Optional[bytes]) -> int:
    """Returns the string hash seed (PYTHONHASHSEED) of a seat with this seed, from 1 to HASH_SEEDS; 0 without a seed: drawn at the host's start."""
    return 0 if seed is None else 1 + seed[0] % HASH_SEEDS


def seed_generators(seed: bytes) -> None:
    """Seeds the functions of `random` and, as soon as numpy is imported, those of `numpy.random`.

    Generators that are created or seeded without a seed get theirs from a stream of `seed`, in the order of these calls.
    """
    draw = random.Random(b"unseeded" + seed).getrandbits
    original = random.Random.seed

    @functools.wraps(original)
    def seed_or_draw(self: random.Random, a: Any = None, version: int = 2) -> None:
        original(self, draw(256) if a is None else a, version)

    random.Random.seed = seed_or_draw  # type: ignore[method-assign]
    # A bound method of the class's earlier function.
    random.seed = random._inst.seed  # type: ignore[attr-defined]
    random.seed(seed)
    sys.meta_path.insert(0, _NumpyWatch(struct.unpack(">8I", seed), draw))


class _NumpyWatch(importlib.abc.MetaPathFinder):
    """Seeds `numpy.random` when it is imported, before the importing code goes on."""

    def __init__(self, words: Sequence[int], draw: Callable[[int], int]) -> None:
        self._words = words
        self._draw = draw

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        if fullname != "numpy.random":
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_seed(module: Any) -> None:
                execute(module)
                self._seed(module)

            spec.loader.exec_module = execute_and_seed  # type: ignore[method-assign]
        return spec

    def _seed(self, module: Any) -> None:
        # The source of default_rng(), RandomState() and seed() without arguments (numpy.random.SeedSequence).
        source = sys.modules.get("numpy.random.bit_generator")
        if hasattr(source, "randbits"):
            source.randbits = self._draw  # type: ignore[union-attr]
        if hasattr(module, "seed"):
            module.seed(list(self._words))
