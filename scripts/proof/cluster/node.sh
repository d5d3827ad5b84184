#!/usr/bin/env bash
# Manages further nodes of the test cluster, each with its own kubelet, containerd and kube-proxy in a network namespace of its own.
# usage: node.sh add NAME ZONE   starts a node and waits until it is Ready
#        node.sh images NAME      copies the platform's images from node1 that the node lacks
#        node.sh kill NAME        simulates a power failure: disconnects the network and kills kubelet, kube-proxy, containerd and containers
#        node.sh remove NAME      stops the node and removes everything of it
#        node.sh list             prints the names
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=node-processes.sh
. "$here/node-processes.sh"
action=${1:?see the usage in this file} name=${2:-}
[ "$action" = list ] && { ls "$STATE/nodes" 2>/dev/null || true; exit 0; }
# Interface names have at most 15 characters.
[[ $name =~ ^[a-z][a-z0-9-]{0,9}$ ]] && [ "$name" != node1 ] || { echo "a node's name starts with a lowercase letter, has up to 10 lowercase letters, digits and hyphens, and is not node1" >&2; exit 1; }
link=hk-$name

# Creates the node's network namespace, its bridge for pods and the routes. The machine routes between the nodes.
connect() {
  if ! ip link show "$NODES_BRIDGE" >/dev/null 2>&1; then
    ip link add "$NODES_BRIDGE" type bridge
    ip addr add "$NODES_PREFIX.1/24" dev "$NODES_BRIDGE"
    ip link set "$NODES_BRIDGE" up
  fi
  ip netns add "$NODE_NETNS"
  ip link add "$link" type veth peer name eth0 netns "$NODE_NETNS"
  ip link set "$link" master "$NODES_BRIDGE" up
  "${INSIDE[@]}" sh -e <<SH
ip link set lo up
ip addr add $NODE_ADDRESS/24 dev eth0
ip link set eth0 up
ip route add $POD_RANGE via $NODES_PREFIX.1
ip route add $SERVICE_RANGE via $NODES_PREFIX.1
ip link add $BRIDGE type bridge
ip addr add $NODE_GATEWAY/24 dev $BRIDGE
ip link set $BRIDGE up
sysctl -qw net.ipv4.ip_forward=1
sysctl -qw net.bridge.bridge-nf-call-iptables=1 2>/dev/null || true
SH
  ip route add "$NODE_PODS" via "$NODE_ADDRESS"
}

# Creates the node's cgroup, which the kubelet expects to exist.
make_cgroup() {
  local controller file
  for controller in /sys/fs/cgroup/*/; do
    [ -f "$controller/cgroup.procs" ] || continue
    mkdir -p "$controller/$NODE_CGROUP" 2>/dev/null || continue
    for file in cpuset.cpus cpuset.mems; do
      [ ! -f "$controller/$file" ] || cat "$controller/$file" >"$controller/$NODE_CGROUP/$file"
    done
  done
}

case $action in
  add)
    alive apiserver || { echo 'there is no cluster: run up.sh first' >&2; exit 1; }
    [ ! -d "$STATE/nodes/$name" ] || { echo "node $name exists already" >&2; exit 1; }
    number=2
    while grep -qsx "$number" "$STATE"/nodes/*/number; do number=$((number + 1)); done
    mkdir -p "$STATE/nodes/$name"
    echo "$number" >"$STATE/nodes/$name/number"
    node_settings "$name"
    connect
    make_cgroup
    configure_containerd
    start_containerd
    until_true 20 'containerd did not start' ctr -a "$NODE_SOCKET" version
    import_pause
    start_kubelet --node-labels=topology.kubernetes.io/zone="${3:?a zone}"
    start_proxy
    until_true 60 "$name did not become ready" node_ready
    ;;
  images)
    node_settings "$name"
    digests() { ctr -a "$1" -n k8s.io images ls | awk '/^localhost\/husky-holdem\// {print $1, $3}' | sort; }
    mapfile -t images < <(comm -23 <(digests "$CONTAINERD_SOCKET") <(digests "$NODE_SOCKET") | cut -d' ' -f1)
    [ "${#images[@]}" -gt 0 ] || exit 0
    ctr -a "$CONTAINERD_SOCKET" -n k8s.io images export - "${images[@]}" |
      nice -n 5 ctr -a "$NODE_SOCKET" -n k8s.io images import --snapshotter "${SNAPSHOTTER:-overlayfs}" - >/dev/null
    ;;
  kill)
    node_settings "$name"
    ip link set "$link" down
    for process in kubelet proxy containerd; do
      alive "$name-$process" && kill -9 "$(cat "$STATE/pid/$name-$process")"
    done
    kill_containers
    ;;
  remove)
    node_settings "$name" || { echo "node $name does not exist" >&2; exit 1; }
    set +e
    ip link set "$link" down
    terminate "$name-kubelet" "$name-proxy"
    kill_containers
    terminate "$name-containerd"
    clear_node
    ip route delete "$NODE_PODS"
    ip link delete "$link"
    ip netns delete "$NODE_NETNS"
    rm -rf "$NODE_STATE" "$NODE_DATA"
    ! alive apiserver || kubectl delete node "$name" --ignore-not-found >/dev/null
    ;;
  *) echo "unknown action: $action" >&2; exit 1 ;;
esac
