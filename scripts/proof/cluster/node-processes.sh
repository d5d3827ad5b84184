# To be sourced, with this folder in $here. Functions for one node: settings, configuration, processes, removal. Sources processes.sh.
# shellcheck source=processes.sh
. "$here/processes.sh"

# Sets the variables of a node. node1 runs in the machine's network namespace, every other node in a namespace of its own.
# NODE_PODS: address range of its pods; NODE_GATEWAY: their gateway. PREFIX: prefix of its process names. INSIDE: command prefix that
# enters its network namespace.
# usage: node_settings NAME
node_settings() {
  NODE=$1
  if [ "$NODE" = node1 ]; then
    NODE_NUMBER=0 NODE_STATE=$STATE NODE_DATA=$DATA PREFIX='' NODE_CGROUP='' NODE_NETNS='' INSIDE=()
    NODE_ADDRESS=$NODE_IP
  else
    NODE_STATE=$STATE/nodes/$NODE NODE_DATA=$DATA/nodes/$NODE PREFIX=$NODE- NODE_CGROUP=husky-$NODE NODE_NETNS=husky-$NODE
    NODE_NUMBER=$(cat "$NODE_STATE/number" 2>/dev/null) || return 1
    INSIDE=(nsenter --net="/run/netns/$NODE_NETNS")
    NODE_ADDRESS=$NODES_PREFIX.$NODE_NUMBER
  fi
  NODE_SOCKET=$NODE_STATE/containerd.sock
  NODE_PODS=${POD_RANGE%.0.0/16}.$NODE_NUMBER.0/24
  NODE_GATEWAY=${NODE_PODS%.0/24}.1
}

node_ctr() { ctr -a "$NODE_SOCKET" -n k8s.io "$@"; }

# Pods have routes only to pods and services, so their traffic cannot leave the machine.
configure_containerd() {
  mkdir -p "$NODE_STATE/cni" "$NODE_DATA"
  # restrict_oom_score_adj: without CAP_SYS_RESOURCE lowering the OOM score fails, and no pod sandbox would start.
  cat >"$NODE_STATE/containerd.toml" <<TOML
version = 2
root = "$NODE_DATA/containerd"
state = "$NODE_STATE/containerd"
[grpc]
address = "$NODE_SOCKET"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "localhost/pause:1"
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "${CNI_BIN:-/usr/lib/cni}"
conf_dir = "$NODE_STATE/cni"
[plugins."io.containerd.grpc.v1.cri".containerd]
snapshotter = "${SNAPSHOTTER:-overlayfs}"
TOML
  cat >"$NODE_STATE/cni/10-husky.conflist" <<JSON
{"cniVersion": "0.4.0", "name": "husky", "plugins": [{"type": "bridge", "bridge": "$BRIDGE", "isGateway": true,
 "hairpinMode": true, "ipam": {"type": "host-local", "dataDir": "$NODE_STATE/ipam", "ranges": [[{"subnet": "$NODE_PODS"}]],
 "routes": [{"dst": "$POD_RANGE"}, {"dst": "$SERVICE_RANGE"}]}}]}
JSON
}

start_containerd() { spawn "${PREFIX}containerd" "${INSIDE[@]}" containerd -c "$NODE_STATE/containerd.toml"; }

import_pause() {
  node_ctr images import --snapshotter "${SNAPSHOTTER:-overlayfs}" "$CACHE/pause.tar" >/dev/null
}

# usage: start_kubelet [ARGUMENT...]
start_kubelet() {
  cat >"$NODE_STATE/kubelet.yaml" <<YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $STATE/pki/ca.crt}}
address: $NODE_ADDRESS
cgroupDriver: cgroupfs
cgroupRoot: /$NODE_CGROUP
failSwapOn: false
failCgroupV1: false
enforceNodeAllocatable: []
containerRuntimeEndpoint: unix://$NODE_SOCKET
imageGCHighThresholdPercent: 100
evictionHard: {memory.available: "100Mi"}
resolvConf: ""
clusterDomain: cluster.local
clusterDNS: [$NODE_IP]
podLogsDir: $NODE_DATA/logs
maxPods: 200
YAML
  spawn "${PREFIX}kubelet" "${INSIDE[@]}" "$BIN/kubelet" --config "$NODE_STATE/kubelet.yaml" --kubeconfig "$KUBECONFIG_FILE" \
    --hostname-override="$NODE" --node-ip="$NODE_ADDRESS" --root-dir="$NODE_DATA/kubelet" --cert-dir="$NODE_STATE/kubelet-pki" "$@"
}

start_proxy() {
  cat >"$NODE_STATE/proxy.yaml" <<YAML
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clientConnection: {kubeconfig: $KUBECONFIG_FILE}
mode: ${PROXY_MODE:-iptables}
clusterCIDR: $POD_RANGE
hostnameOverride: $NODE
bindAddress: $NODE_ADDRESS
healthzBindAddress: 127.0.0.1:10256
metricsBindAddress: 127.0.0.1:10249
conntrack: {maxPerCore: 0}
iptables: {localhostNodePorts: false}
YAML
  spawn "${PREFIX}proxy" "${INSIDE[@]}" "$BIN/kube-proxy" --config "$NODE_STATE/proxy.yaml"
}

node_ready() { kubectl get node "$NODE" 2>/dev/null | grep -q ' Ready'; }

# Kills the containers and shims of a node, but not containerd.
kill_containers() {
  local shim cgroup
  for shim in $(grep -als -- "-address.*$NODE_SOCKET" /proc/[0-9]*/cmdline | cut -d/ -f3); do kill -9 "$shim" 2>/dev/null || true; done
  # node1 uses the kubelet's default, kubepods.
  cgroup=${NODE_CGROUP:-kubepods}
  find /sys/fs/cgroup/pids/"$cgroup" /sys/fs/cgroup/"$cgroup" -name cgroup.procs -exec cat {} + 2>/dev/null | xargs -r kill -9 2>/dev/null || true
}

# Removes what the processes of a node leave behind: mounts, network namespaces of pods, control groups.
clear_node() {
  local net controller try
  kill_containers
  awk -v state="$NODE_STATE/" -v data="$NODE_DATA/" 'index($2, state) == 1 || index($2, data) == 1 {print $2}' /proc/mounts |
    sort -r | xargs -r umount -l 2>/dev/null
  for net in /run/netns/cni-*; do
    [ -e "$net" ] || continue
    nsenter --net="$net" ip -4 -o addr show dev eth0 2>/dev/null | grep -qE "inet ${NODE_PODS%.0/24}\." || continue
    ip netns delete "${net##*/}" 2>/dev/null
  done
  # The kubelet does not remove the cgroups of killed pods, and they can be removed only when the killed processes have ended.
  for try in $(seq 20); do
    for controller in /sys/fs/cgroup/*/"${NODE_CGROUP:-kubepods}" /sys/fs/cgroup/"${NODE_CGROUP:-kubepods}"; do
      [ -d "$controller" ] && find "$controller" -depth -type d -exec rmdir {} \; 2>/dev/null
    done
    compgen -G "/sys/fs/cgroup/*/${NODE_CGROUP:-kubepods}" >/dev/null || break
    sleep 0.25
  done
  return 0
}
