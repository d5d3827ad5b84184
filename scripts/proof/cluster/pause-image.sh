#!/usr/bin/env bash
# usage: pause-image.sh FILE
# Writes the image localhost/pause:1 (a static program that sleeps and reaps zombies) as a docker-archive, if the file does not exist.
set -euo pipefail
[ -f "$1" ] && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/layer"
cat >"$work/pause.c" <<'C'
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static void terminate(int signal) { _exit(0); }
static void reap(int signal) { while (waitpid(-1, 0, WNOHANG) > 0); }
int main(void) {
  signal(SIGTERM, terminate);
  signal(SIGINT, terminate);
  signal(SIGCHLD, reap);
  for (;;) pause();
}
C
gcc -static -Os -s -o "$work/layer/pause" "$work/pause.c"
tar -C "$work/layer" --mtime=@0 --owner=0 --group=0 -cf "$work/layer.tar" pause
layer=$(sha256sum "$work/layer.tar" | cut -c1-64)
architecture=$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
printf '{"architecture":"%s","os":"linux","config":{"Entrypoint":["/pause"],"User":"65535:65535"},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}' \
  "$architecture" "$layer" >"$work/config.json"
printf '[{"Config":"config.json","RepoTags":["localhost/pause:1"],"Layers":["layer.tar"]}]' >"$work/manifest.json"
mkdir -p "$(dirname "$1")"
tar -C "$work" -cf "$1" manifest.json config.json layer.tar
