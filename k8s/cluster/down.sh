#!/usr/bin/env bash
# Stops the test cluster and removes everything it created: processes, containers, mounts, the bridge, its iptables rules,
# state and volumes. Keeps the user's cache of programs and images, and the Debian packages.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=settings.env
. "$here/settings.env"
# shellcheck source=processes.sh
. "$here/processes.sh"
[ "$(id -u)" = 0 ] || { echo 'The test cluster runs as root; root is needed to stop it.' >&2; exit 1; }
[ -d "$STATE" ] || [ -d "$DATA" ] || { echo 'there is no cluster'; exit 0; }
mkdir -p "$STATE/pid" "$STATE/log"

end kubelet scheduler controller-manager
ctr_here() { timeout 10 ctr -a "$CONTAINERD_SOCKET" -n k8s.io "$@" 2>/dev/null; }
networks=
if alive containerd; then
  networks=$(ctr_here containers ls -q | while read -r container; do
    ctr_here containers info "$container" | grep -o '/netns/cni-[0-9a-f-]*'; done | sort -u | sed 's|.*/||')
  ctr_here tasks ls -q | while read -r task; do ctr_here tasks kill -s KILL "$task"; done
  for try in $(seq 40); do [ -z "$(ctr_here tasks ls | awk 'NR>1 && $3=="RUNNING"')" ] && break; sleep 0.25; done
  ctr_here tasks ls -q | while read -r task; do ctr_here tasks rm -f "$task" >/dev/null; done
  ctr_here containers ls -q | while read -r container; do ctr_here containers rm "$container" >/dev/null; done
fi
end proxy coredns
end apiserver
end etcd containerd
for shim in /proc/[0-9]*; do
  grep -aqs -- "-address.*$CONTAINERD_SOCKET" "$shim/cmdline" && kill -9 "${shim#/proc/}" 2>/dev/null
done
awk -v state="$STATE/" -v data="$DATA/" 'index($2, state) == 1 || index($2, data) == 1 {print $2}' /proc/mounts |
  sort -r | xargs -r umount -l 2>/dev/null
[ -x "$BIN/kube-proxy" ] && "$BIN/kube-proxy" --cleanup >/dev/null 2>&1
for table in nat mangle filter; do
  iptables -t "$table" -F KUBE-KUBELET-CANARY 2>/dev/null && iptables -t "$table" -X KUBE-KUBELET-CANARY 2>/dev/null
done
for net in $networks; do ip netns delete "$net" 2>/dev/null; done
ip link delete "$BRIDGE" 2>/dev/null
# The kubelet leaves its cgroup folders when pods are killed.
for controller in /sys/fs/cgroup/*/kubepods /sys/fs/cgroup/kubepods; do
  [ -d "$controller" ] && find "$controller" -depth -type d -exec rmdir {} \; 2>/dev/null
done
rm -rf "$STATE" "$DATA"
echo 'the cluster is stopped and removed'
