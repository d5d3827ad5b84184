#!/usr/bin/env bash
# usage: publish.sh REGISTRY [VERSION]
# Pushes the images of images.sh to REGISTRY/<name>:VERSION (default: the version in package.json), signs each digest with cosign, and
# attaches the image's bill of materials, if it has one, as a signed attestation. Prints each name with its digest.
#   COSIGN_KEY, COSIGN_PASSWORD   a key file of `cosign generate-key-pair`, or the URI of a key in a key management service
#   IMAGE_TAG                     tag of the built images (default: test)
#   HTTP=yes                      use plain HTTP, for a local registry
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=storage.sh
. "$here/storage.sh"
registry=${1:?usage: publish.sh REGISTRY [VERSION]}
version=${2:-$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$root/package.json")}
: "${COSIGN_KEY:?set COSIGN_KEY to the key that signs the images (cosign generate-key-pair makes one)}"
command -v cosign >/dev/null || { echo 'cosign is needed: install it, or build it with scripts/proof/cluster/build.sh cosign (Go).' >&2; exit 1; }
tag=${IMAGE_TAG:-test}
http=()
[ "${HTTP:-no}" = no ] || http=(--allow-http-registry)
# No upload to the public transparency log, which would reveal names and digests of a private registry.
cosign_flags=(--yes --key "$COSIGN_KEY" --use-signing-config=false --tlog-upload=false "${http[@]}")

work=$(mktemp -d)
container=
trap '[ -z "$container" ] || build_tool rm "$container" >/dev/null; rm -rf "$work"' EXIT
for name in app submission dealer seats postgres nats; do
  local_name=localhost/husky-holdem/$name:$tag
  image_exists "$local_name" || { echo "$local_name does not exist: build the images first (make kube-images)." >&2; exit 1; }
  build_tool push -q ${http:+--tls-verify=false} --digestfile "$work/digest" "$local_name" "docker://$registry/$name:$version" >/dev/null
  reference=$registry/$name@$(cat "$work/digest")
  cosign sign "${cosign_flags[@]}" "$reference" 2>"$work/log" || { tail -n 5 "$work/log" >&2; exit 1; }
  container=$(build_tool from --pull-never "$local_name")
  bill=$(build_tool mount "$container")/app/sbom.cdx.json
  if [ -f "$bill" ]; then
    cosign attest "${cosign_flags[@]}" --type cyclonedx --predicate "$bill" "$reference" 2>"$work/log" || { tail -n 5 "$work/log" >&2; exit 1; }
  fi
  build_tool rm "$container" >/dev/null
  container=
  echo "$reference"
done
