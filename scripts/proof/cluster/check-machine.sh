#!/usr/bin/env bash
# Prints the reason why this machine cannot run the test cluster and exits with 1; prints nothing and exits with 0 if it can.
# Changes nothing on the machine.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=settings.env
. "$here/settings.env"
cannot() {
  echo "$1; to use your own cluster, set KUBECONFIG."
  exit 1
}
[ "$(uname -s)" = Linux ] || cannot 'The test cluster runs on Linux only'
[ "$(id -u)" = 0 ] || cannot 'The test cluster needs root (containers, a bridge, iptables)'
command -v apt-get >/dev/null || cannot 'The test cluster needs Debian packages, and there is no apt-get here'
if ! [ -x "$BIN/kube-apiserver" ] && ! go version 2>/dev/null | grep -qE 'go1\.(2[5-9]|[3-9][0-9])'; then
  cannot 'Go 1.25 or newer is needed to build the test cluster, and is not installed'
fi
[ -d "$STATE" ] && exit 0

# Requirements of kubelet and containers: writable control groups, mounts, a bridge.
cgroup=$(ls -d /sys/fs/cgroup/memory 2>/dev/null || echo /sys/fs/cgroup)
mkdir "$cgroup/husky-probe" 2>/dev/null && rmdir "$cgroup/husky-probe" 2>/dev/null ||
  cannot 'Control groups cannot be written here (an unprivileged container?), so kubelet cannot run'
if [ "$cgroup" = /sys/fs/cgroup ] && ! grep -qw memory /sys/fs/cgroup/cgroup.controllers 2>/dev/null; then
  cannot 'The memory control group is missing here, so kubelet cannot run'
fi
probe=$(mktemp -d)
mount -t tmpfs husky-probe "$probe" 2>/dev/null && umount "$probe" || { rmdir "$probe"; cannot 'File systems cannot be mounted here, so containers cannot run'; }
rmdir "$probe"
if command -v ip >/dev/null; then
  ip link add husky-probe0 type bridge 2>/dev/null && ip link delete husky-probe0 2>/dev/null ||
    cannot 'A bridge cannot be created here, so pods would have no network'
fi
free=$(df -Pm "$(dirname "$DATA")" | awk 'NR == 2 {print $4}')
[ "$free" -ge 8000 ] || cannot "The test cluster needs 8 GB in $(dirname "$DATA"), and only $((free / 1000)) are free"
memory=$(awk '/^MemAvailable/ {print int($2 / 1024)}' /proc/meminfo)
[ "$memory" -ge 3500 ] || cannot "The test cluster needs 3.5 GB of memory, and only $memory MB are free"
exit 0
