"""The local kit of Husky Hold'em."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("husky-holdem")
except PackageNotFoundError:  # A clone that is not installed.
    __version__ = "0.0.0"

RULES_VERSION = 3
"""Version of the rules by which matches are dealt: `services/lib/match/src/rules-version.ts`."""

PROTOCOL_VERSION = 1
"""Version of the REST API that the commands with a site require."""
