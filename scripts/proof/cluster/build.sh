#!/usr/bin/env bash
# Builds the cluster's programs from their Go modules into the user's cache, once per version, and links them into its bin folder.
# Prints that folder. Arguments: names of the programs to build (default: those that `make kube-up` starts). BUILD_JOBS: parallel compile jobs
# (default: one per core). BUILD_GOCACHE: folder in which compiler output (4 GB) is kept (default: a temporary folder).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=versions.env
. "$here/versions.env"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/husky-holdem
jobs=${BUILD_JOBS:-$(nproc)}
requested=" ${*:-kubernetes coredns helm etcd} "
kubernetes=v1.$KUBERNETES_MINOR.$KUBERNETES_PATCH
mkdir -p "$cache/bin"
command -v go >/dev/null || { echo "Go 1.26 or newer is needed to build ${*:-the test cluster}: install it first." >&2; exit 1; }

work=$(mktemp -d)
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
export CGO_ENABLED=0 GOCACHE="${BUILD_GOCACHE:-$work/gocache}" GOTOOLCHAIN=local
# Without debug information from the start, and with fewer collections of garbage: less to compile.
compile() { GOGC=400 nice -n 19 go "$1" -p "$jobs" -trimpath -gcflags=all=-dwarf=false "${@:2}"; }
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

# Programs that `go install` can build: name, package, version, variables that the linker sets. Without them Helm renders for Kubernetes 1.20.
helm=$HELM-kubernetes1.$KUBERNETES_MINOR
export GOFLAGS=-buildvcs=false
while read -r name package version variables; do
  is_requested "$name" || continue
  is_built "$name-$version" && continue
  begin "$name $version"
  GOBIN="$work/out" compile install -ldflags "-s -w $variables" "$package@${version%-kubernetes*}"
  finish "$name-$version"
done <<LIST
helm helm.sh/helm/v3/cmd/helm $helm -X helm.sh/helm/v3/internal/version.version=$HELM -X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=$KUBERNETES_MINOR -X helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor=$KUBERNETES_MINOR
k6 go.k6.io/k6 $K6
cosign github.com/sigstore/cosign/v3/cmd/cosign $COSIGN
LIST

# Only the plugins of the Corefile (up.sh): all of them, with the libraries of three clouds, have twice as many packages.
if is_requested coredns && ! is_built "coredns-$COREDNS"; then
  begin "coredns $COREDNS"
  cd "$work/src"
  export GOFLAGS='-mod=mod -buildvcs=false'
  printf 'module coredns\n\ngo 1.25.0\n\nrequire github.com/coredns/coredns %s\n' "$COREDNS" >go.mod
  {
    printf 'package main\n\nimport (\n\t"github.com/coredns/coredns/coremain"\n'
    for plugin in bind errors kubernetes ready template; do printf '\t_ "github.com/coredns/coredns/plugin/%s"\n' "$plugin"; done
    printf ')\n\nfunc main() { coremain.Run() }\n'
  } >main.go
  compile build -ldflags '-s -w' -o "$work/out/coredns" .
  cd / && finish "coredns-$COREDNS"
fi

if is_requested etcd && ! is_built "etcd-$ETCD"; then
  begin "etcd $ETCD"
  cd "$work/src"
  export GOFLAGS='-mod=mod -buildvcs=false'
  go mod init etcd 2>/dev/null
  go get "go.etcd.io/etcd/server/v3@$ETCD" >"$work/get.log" 2>&1 || { tail -n 5 "$work/get.log" >&2; exit 1; }
  compile build -ldflags '-s -w' -o "$work/out/etcd" go.etcd.io/etcd/server/v3
  cd / && finish "etcd-$ETCD"
fi

for program in "kubernetes-$kubernetes" "coredns-$COREDNS" "helm-$helm" "k6-$K6" "etcd-$ETCD" "cosign-$COSIGN"; do
  is_requested "${program%-v*}" || continue
  for file in "$cache/programs/$program"/*; do ln -sfn "$file" "$cache/bin/$(basename "$file")"; done
done
echo "$cache/bin"
