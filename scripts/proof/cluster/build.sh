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

# These programs share the libraries of Kubernetes. In one module they have the same versions of them, so that each package is compiled once.
# CoreDNS gets only the plugins of the Corefile (up.sh): all of them, with the libraries of three clouds, have twice as many packages.
commands='kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl'
write_module() {
  [ ! -f "$work/module/go.mod" ] || return 0
  mkdir -p "$work/module/coredns" && cd "$work/module"
  printf 'module cluster\n\ngo 1.25.0\n\nrequire (\n' >go.mod
  printf '\t%s %s\n' k8s.io/kubernetes "$kubernetes" helm.sh/helm/v3 "$HELM" github.com/coredns/coredns "$COREDNS" \
    go.etcd.io/etcd/server/v3 "$ETCD" >>go.mod
  local source_dir
  source_dir=$(go mod download -json "k8s.io/kubernetes@$kubernetes" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  # The main module replaces its staging modules with local folders; replace them with the published modules of the same release.
  {
    printf ')\n\nreplace (\n'
    awk -v version="v0.$KUBERNETES_MINOR.$KUBERNETES_PATCH" \
      '/^replace/{f=1;next} f&&/=>/{print "\t"$1" => "$1" "version}' "$source_dir/go.mod"
    echo ')'
  } >>go.mod
  {
    printf '//go:build tools\n\npackage tools\n\nimport (\n\t_ "helm.sh/helm/v3/cmd/helm"\n\t_ "go.etcd.io/etcd/server/v3"\n'
    for command in $commands; do echo "	_ \"k8s.io/kubernetes/cmd/$command\""; done
    echo ')'
  } >tools.go
  {
    printf 'package main\n\nimport (\n\t"github.com/coredns/coredns/coremain"\n'
    for plugin in bind errors kubernetes ready template; do printf '\t_ "github.com/coredns/coredns/plugin/%s"\n' "$plugin"; done
    printf ')\n\nfunc main() { coremain.Run() }\n'
  } >coredns/main.go
  go mod tidy >"$work/tidy.log" 2>&1 || { tail -n 5 "$work/tidy.log" >&2; exit 1; }
}
# usage: build_shared NAME VERSION LINKER_FLAGS PACKAGE...
build_shared() {
  is_requested "$1" && ! is_built "$1-$2" || return 0
  begin "$1 $2"
  export GOFLAGS='-mod=mod -buildvcs=false'
  write_module
  cd "$work/module"
  for package in "${@:4}"; do compile build -ldflags "-s -w $3" -o "$work/out/" "$package"; done
  [ ! -f "$work/out/server" ] || mv "$work/out/server" "$work/out/etcd"
  cd / && finish "$1-$2"
}
version=k8s.io/component-base/version
# shellcheck disable=SC2046
build_shared kubernetes "$kubernetes" \
  "-X $version.gitVersion=$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=$KUBERNETES_MINOR" $(printf 'k8s.io/kubernetes/cmd/%s ' $commands)
build_shared coredns "$COREDNS" '' ./coredns
# Without these variables Helm renders for Kubernetes 1.20.
helm=$HELM-kubernetes1.$KUBERNETES_MINOR
build_shared helm "$helm" "-X helm.sh/helm/v3/internal/version.version=$HELM -X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=$KUBERNETES_MINOR -X helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor=$KUBERNETES_MINOR" helm.sh/helm/v3/cmd/helm
build_shared etcd "$ETCD" '' go.etcd.io/etcd/server/v3

# Programs that `go install` can build: name, package, version.
export GOFLAGS=-buildvcs=false
while read -r name package version; do
  is_requested "$name" || continue
  is_built "$name-$version" && continue
  begin "$name $version"
  GOBIN="$work/out" compile install -ldflags '-s -w' "$package@$version"
  finish "$name-$version"
done <<LIST
k6 go.k6.io/k6 $K6
cosign github.com/sigstore/cosign/v3/cmd/cosign $COSIGN
LIST

for program in "kubernetes-$kubernetes" "coredns-$COREDNS" "helm-$helm" "k6-$K6" "etcd-$ETCD" "cosign-$COSIGN"; do
  is_requested "${program%-v*}" || continue
  for file in "$cache/programs/$program"/*; do ln -sfn "$file" "$cache/bin/$(basename "$file")"; done
done
echo "$cache/bin"
