#!/usr/bin/env bash
# Stops the test cluster and removes everything that it created: processes, containers, mounts, bridges, iptables rules, state and
# volumes. Keeps the user's cache of programs and images, and the Debian packages.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=node-processes.sh
. "$here/node-processes.sh"
[ "$(id -u)" = 0 ] || { echo 'The test cluster runs as root; root is needed to stop it.' >&2; exit 1; }
[ -d "$STATE" ] || [ -d "$DATA" ] || { echo 'there is no cluster'; exit 0; }
mkdir -p "$STATE/pid" "$STATE/log"

for node in $("$here/node.sh" list); do "$here/node.sh" remove "$node" >/dev/null 2>&1; done
node_settings node1
terminate kubelet scheduler controller-manager
ctr_here() { timeout 10 ctr -a "$CONTAINERD_SOCKET" -n k8s.io "$@" 2>/dev/null; }
if alive containerd; then
  ctr_here tasks ls -q | while read -r task; do ctr_here tasks kill -s KILL "$task"; done
  for try in $(seq 40); do [ -z "$(ctr_here tasks ls | awk 'NR>1 && $3=="RUNNING"')" ] && break; sleep 0.25; done
  ctr_here tasks ls -q | while read -r task; do ctr_here tasks rm -f "$task" >/dev/null; done
  ctr_here containers ls -q | while read -r container; do ctr_here containers rm "$container" >/dev/null; done
fi
terminate proxy coredns
terminate apiserver
terminate etcd containerd
clear_node
for folder in /sys/fs/cgroup/cpu /sys/fs/cgroup; do
  [ -d "$folder/$SYSTEM_CGROUP" ] || continue
  # The tests of the cluster continue outside of it.
  while read -r process; do echo "$process" >"$folder/cgroup.procs"; done <"$folder/$SYSTEM_CGROUP/cgroup.procs" 2>/dev/null
  rmdir "$folder/$SYSTEM_CGROUP"
done
[ -x "$BIN/kube-proxy" ] && "$BIN/kube-proxy" --cleanup >/dev/null 2>&1
for table in nat mangle filter; do
  iptables -t "$table" -F KUBE-KUBELET-CANARY 2>/dev/null && iptables -t "$table" -X KUBE-KUBELET-CANARY 2>/dev/null
done
for chain in OUTPUT FORWARD; do iptables -D "$chain" -d "$SERVICE_RANGE" -j REJECT 2>/dev/null; done
nft delete table ip husky_policies 2>/dev/null
ip link delete "$BRIDGE" 2>/dev/null
ip link delete "$NODES_BRIDGE" 2>/dev/null
# Links to logs, results of network plugins and the device plugins' socket have fixed paths outside of the state folders.
find /var/log/containers -maxdepth 1 -type l -lname "$DATA/*" -delete 2>/dev/null
rm -f /var/lib/cni/results/{husky-*-eth0,cni-loopback-*-lo} /var/lib/kubelet/device-plugins/{kubelet.sock,kubelet_internal_checkpoint}
rmdir /var/log/containers /var/lib/kubelet/device-plugins /var/lib/kubelet 2>/dev/null
rm -rf "$STATE" "$DATA"
echo 'the cluster is stopped and removed'
