#!/bin/sh
# Writes <name>.txt from each section of packages.ini: every package with its exact version and the SHA-256 of its wheels.
# To update the packages of a .txt, delete it first.
set -eu
cd "$(dirname "$0")"
uv=../../.tools/python/bin/uv
lock() { # name, minimum Python version, more options
  name=$1 version=$2
  shift 2
  sed -n "/^\[$name]/,/^\[/{/^\[/!p}" packages.ini | "$uv" pip compile --quiet --universal --python-version "$version" --generate-hashes --only-binary :all: \
    --no-emit-index-url --no-annotate --custom-compile-command 'make lock-python' "$@" - -o "$name.txt"
}
lock tools 3.10
lock checker 3.10
lock bots 3.10
lock author 3.10
lock fuzz 3.11
lock peers 3.11
lock sbom 3.11
lock estimates 3.11
# jsonpath-rw has no wheel.
lock exports 3.11 --no-binary jsonpath-rw
# Only its JSON schema is read, and its packages exclude those of exports.
lock citation 3.11 --no-deps
