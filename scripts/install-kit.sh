#!/bin/sh
# Installs the wheel of .kit into .tools/kit unless the same wheel is installed.
set -eu
uv=.tools/python/bin/uv
target=.tools/kit
wheel=$(ls .kit/*.whl)
sum=$(sha256sum "$wheel")
[ -f "$target/wheel.sum" ] && [ "$(cat "$target/wheel.sum")" = "$sum" ] && exit 0
$uv venv --quiet --clear --python "${PYTHON:-python3}" "$target"
$uv pip install --quiet --python "$target/bin/python" "$wheel"
printf '%s' "$sum" >"$target/wheel.sum"
