#!/bin/sh
# usage: install.sh PYTHON. Installs schemathesis (../python/fuzz.txt) into .tools/fuzz unless this version is installed.
set -eu
python=$1
target=.tools/fuzz
cmp -s scripts/python/fuzz.txt "$target/.installed" && exit 0
"$python" -m venv --clear "$target" || {
  echo "Python's venv is needed to install schemathesis (on Debian: apt-get install python3-venv)." >&2
  exit 1
}
"$target/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --requirement scripts/python/fuzz.txt
cp scripts/python/fuzz.txt "$target/.installed"
