#!/usr/bin/env bash
# usage: restart.sh apiserver|containerd [SECONDS]
# Restarts a component of the test cluster after SECONDS of downtime, for tests of failures.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=node-processes.sh
. "$here/node-processes.sh"
node_settings node1
api_ready() { kubectl get --raw /readyz; }
case ${1:?apiserver or containerd} in
  apiserver)
    # SIGKILL simulates a crash; a graceful shutdown would wait 20 s for watches.
    alive apiserver && kill -9 "$(cat "$STATE/pid/apiserver")"
    terminate apiserver
    sleep "${2:-0}"
    start_apiserver
    until_true 90 'The API server did not become ready' api_ready
    ;;
  containerd)
    terminate containerd
    sleep "${2:-0}"
    start_containerd
    until_true 20 'containerd did not start' ctr -a "$CONTAINERD_SOCKET" version
    ;;
  *) echo "unknown component: $1" >&2; exit 1 ;;
esac
