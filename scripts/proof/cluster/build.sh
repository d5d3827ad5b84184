#!/usr/bin/env bash
# Builds the cluster's programs from their Go modules into the user's cache, once per version, and links them into its bin folder.
# Prints that folder. Arguments: names of the programs to build (default: those of the test cluster). BUILD_JOBS: parallel compile jobs
# (default: one per core). BUILD_GOCACHE: folder in which compiler output (4 GB) is kept (default: a temporary folder).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=versions.env
. "$here/versions.env"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/husky-holdem
jobs=${BUILD_JOBS:-$(nproc)}
requested=" ${*:-kubernetes coredns helm k6 etcd} "
kubernetes=v1.$KUBERNETES_MINOR.$KUBERNETES_PATCH
mkdir -p "$cache/bin"
command -v go >/dev/null || { echo "Go 1.25 or newer (1.26 for metrics-server and cert-manager) is needed to build ${*:-the test cluster}: install it first." >&2; exit 1; }

work=$(mktemp -d)
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
export CGO_ENABLED=0 GOCACHE="${BUILD_GOCACHE:-$work/gocache}" GOTOOLCHAIN=local
compile() { nice -n 19 go "$1" -p "$jobs" -trimpath "${@:2}"; }
is_requested() { case $requested in *" $1 "*) ;; *) return 1 ;; esac; }
is_built() { [ -f "$cache/programs/$1/.complete" ]; }
# Moves the output of a build into the cache. usage: finish NAME-VERSION
finish() {
  for file in "$work/out"/*; do strip "$file" 2>/dev/null || true; done
  mkdir -p "$cache/programs" && rm -rf "$cache/programs/$1" && mv "$work/out" "$cache/programs/$1" && touch "$cache/programs/$1/.complete"
}
# Prints what is built and empties the work folders.
begin() { echo "building $1 (once; kept in the cache)" >&2; mkdir -p "$work/out" "$work/src"; rm -rf "$work/src"/* "$work/src"/.[!.]*; }

if is_requested kubernetes && ! is_built "kubernetes-$kubernetes"; then
  begin "kubernetes $kubernetes"
  cd "$work/src"
  export GOFLAGS='-mod=mod -buildvcs=false'
  printf 'module cluster\n\ngo 1.24.0\n\nrequire k8s.io/kubernetes %s\n' "$kubernetes" >go.mod
  source_dir=$(go mod download -json "k8s.io/kubernetes@$kubernetes" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  # The main module replaces its staging modules with local folders; replace them with the published modules of the same release.
  {
    printf '\nreplace (\n'
    awk -v version="v0.$KUBERNETES_MINOR.$KUBERNETES_PATCH" \
      '/^replace/{f=1;next} f&&/=>/{print "\t"$1" => "$1" "version}' "$source_dir/go.mod"
    echo ')'
  } >>go.mod
  commands='kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl'
  {
    printf '//go:build tools\n\npackage tools\n\nimport (\n'
    for command in $commands; do echo "	_ \"k8s.io/kubernetes/cmd/$command\""; done
    echo ')'
  } >tools.go
  go mod tidy >"$work/tidy.log" 2>&1 || { tail -n 5 "$work/tidy.log" >&2; exit 1; }
  flags="-s -w -X k8s.io/component-base/version.gitVersion=$kubernetes -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=$KUBERNETES_MINOR"
  for command in $commands; do compile build -ldflags "$flags" -o "$work/out/" "k8s.io/kubernetes/cmd/$command"; done
  cd / && finish "kubernetes-$kubernetes"
fi

# Prints the stages of kwok's repository for nodes that are ready immediately and pods that start and end immediately.
write_stages() {
  local stages file
  stages=$(go mod download -json "sigs.k8s.io/kwok@$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')/kustomize/stage
  for file in node/fast/node-initialize node/heartbeat-with-lease/node-heartbeat-with-lease pod/fast/pod-ready pod/fast/pod-delete; do
    cat "$stages/$file.yaml"
    echo ---
  done
}

# Programs that `go install` can build: name, package, version.
export GOFLAGS=-buildvcs=false
while read -r name package version; do
  is_requested "$name" || continue
  is_built "$name-$version" && continue
  begin "$name $version"
  GOBIN="$work/out" compile install -ldflags '-s -w' "$package@$version"
  for file in "$work/out"/*; do [ "$(basename "$file")" = "$name" ] || mv "$file" "$work/out/$name"; done
  [ "$name" = kwok ] && write_stages "$version" >"$work/out/kwok-stages.yaml"
  finish "$name-$version"
done <<LIST
coredns github.com/coredns/coredns $COREDNS
helm helm.sh/helm/v3/cmd/helm $HELM
k6 go.k6.io/k6 $K6
metrics-server sigs.k8s.io/metrics-server/cmd/metrics-server $METRICS_SERVER
kube-score github.com/zegl/kube-score/cmd/kube-score $KUBE_SCORE
kwok sigs.k8s.io/kwok/cmd/kwok $KWOK
cosign github.com/sigstore/cosign/v3/cmd/cosign $COSIGN
LIST

if is_requested etcd && ! is_built "etcd-$ETCD"; then
  begin "etcd $ETCD"
  cd "$work/src"
  export GOFLAGS='-mod=mod -buildvcs=false'
  go mod init etcd 2>/dev/null
  go get "go.etcd.io/etcd/server/v3@$ETCD" >"$work/get.log" 2>&1 || { tail -n 5 "$work/get.log" >&2; exit 1; }
  compile build -ldflags '-s -w' -o "$work/out/etcd" go.etcd.io/etcd/server/v3
  cd / && finish "etcd-$ETCD"
fi

if is_requested cert-manager && ! is_built "cert-manager-$CERT_MANAGER"; then
  begin "cert-manager $CERT_MANAGER"
  cd "$work/src"
  export GOFLAGS='-mod=mod -buildvcs=false'
  cp "$here/cert-manager/main.go" .
  # A module path below cert-manager's, because its webhook is an internal package.
  go mod init github.com/cert-manager/cert-manager/test-cluster 2>/dev/null
  go get "github.com/cert-manager/cert-manager@$CERT_MANAGER" >"$work/get.log" 2>&1 || { tail -n 5 "$work/get.log" >&2; exit 1; }
  compile build -ldflags '-s -w' -o "$work/out/cert-manager" .
  cp -r "$(go list -m -f '{{.Dir}}' github.com/cert-manager/cert-manager)/deploy/crds" "$work/out/cert-manager-crds"
  chmod -R u+w "$work/out/cert-manager-crds"
  cd / && finish "cert-manager-$CERT_MANAGER"
fi

if is_requested traefik && ! is_built "traefik-$TRAEFIK"; then
  begin "traefik $TRAEFIK"
  # In its own module, because that replaces some of its dependencies.
  cp -r "$(go mod download -json "github.com/traefik/traefik/v3@$TRAEFIK" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')/." "$work/src/"
  chmod -R u+w "$work/src"
  cd "$work/src"
  export GOFLAGS='-mod=mod -buildvcs=false'
  compile build -ldflags '-s -w' -o "$work/out/traefik" ./cmd/traefik
  cd / && finish "traefik-$TRAEFIK"
fi

# Only the definitions of custom resources: name, module, version, folder.
while read -r name module version folder; do
  is_requested "$name" || continue
  is_built "$name-$version" && continue
  begin "$name $version"
  cp -r "$(go mod download -json "$module@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')/$folder" "$work/out/$name-crds"
  chmod -R u+w "$work/out/$name-crds"
  finish "$name-$version"
done <<LIST
gateway-api sigs.k8s.io/gateway-api $GATEWAY_API config/crd/standard
cert-manager-api github.com/cert-manager/cert-manager $CERT_MANAGER deploy/crds
prometheus-operator github.com/prometheus-operator/prometheus-operator $PROMETHEUS_OPERATOR example/prometheus-operator-crd
LIST

for program in "kubernetes-$kubernetes" "coredns-$COREDNS" "helm-$HELM" "k6-$K6" "etcd-$ETCD" "metrics-server-$METRICS_SERVER" \
  "cert-manager-$CERT_MANAGER" "gateway-api-$GATEWAY_API" "cert-manager-api-$CERT_MANAGER" \
  "prometheus-operator-$PROMETHEUS_OPERATOR" "kube-score-$KUBE_SCORE" "kwok-$KWOK" "cosign-$COSIGN" \
  "traefik-$TRAEFIK"; do
  is_requested "${program%-v*}" || continue
  for file in "$cache/programs/$program"/*; do ln -sfn "$file" "$cache/bin/$(basename "$file")"; done
done
echo "$cache/bin"
