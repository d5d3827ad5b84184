#!/usr/bin/env bash
# Builds substitutes for debian:bookworm-slim and node:24-bookworm-slim from package registries, for machines without access to an
# image registry. Stores them by version in the user's cache. Prints their names, Debian's first.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=storage.sh
. "$here/storage.sh"
root=$(cd "$here/../.." && pwd)
node=$root/node_modules/node/bin/node
[ -x "$node" ] || { echo 'Node.js is not installed yet: run make install first.' >&2; exit 1; }
node_version=$("$node" --version)
npm_folder=$(npm root --global --loglevel=error)/npm
npm_version=$(npm --version)
debian=localhost/husky-debian:bookworm-2
with_node=localhost/husky-node:$node_version-npm$npm_version

if ! image_exists "$debian"; then
  echo 'building the Debian base image (once; kept in the cache)' >&2
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  nice -n 19 debootstrap --variant=minbase bookworm "$work/root" >"$work/log" 2>&1 || { tail -n 5 "$work/log" >&2; exit 1; }
  # The security archive of the mirror that debootstrap uses.
  sed -n 's|^deb \(.*\)/debian/* bookworm main$|deb \1/debian-security bookworm-security main|p' "$work/root/etc/apt/sources.list" >"$work/security"
  cat "$work/security" >>"$work/root/etc/apt/sources.list"
  rm -rf "$work/root"/var/cache/apt/* "$work/root"/var/cache/ldconfig/* "$work/root"/var/log/* "$work/root"/var/lib/apt/lists/* "$work/root"/usr/share/{doc,man,locale,info}/*
  container=$(build_tool from scratch)
  build_tool add -q "$container" "$work/root" / >/dev/null
  build_tool config --cmd bash --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  build_tool commit -q --rm --timestamp "$image_time" "$container" "$debian" >/dev/null
fi
if ! image_exists "$with_node"; then
  echo "building the Node.js base image ($node_version)" >&2
  container=$(build_tool from --pull-never "$debian")
  build_tool add -q --chmod 755 "$container" "$node" /usr/local/bin/node >/dev/null
  build_tool add -q "$container" "$npm_folder" /usr/local/lib/node_modules/npm >/dev/null
  build_tool run --isolation chroot "$container" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
  build_tool config --cmd node "$container"
  build_tool commit -q --rm --timestamp "$image_time" "$container" "$with_node" >/dev/null
fi
echo "$debian $with_node"
