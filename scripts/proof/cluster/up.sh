#!/usr/bin/env bash
# Starts a real one-node Kubernetes cluster on this machine: etcd, kube-apiserver, controller-manager, scheduler, containerd, kubelet,
# kube-proxy and CoreDNS as plain processes. Prints the time after each stage and the command that sets KUBECONFIG.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=node-processes.sh
. "$here/node-processes.sh"
node_settings node1
[ "$(uname -s)" = Linux ] || { echo 'The test cluster runs on Linux only; to use your own cluster, set KUBECONFIG.' >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo 'The test cluster needs root (containers, a bridge, iptables); to use your own cluster, set KUBECONFIG.' >&2; exit 1; }
"$here/packages.sh"
"$here/build.sh" >/dev/null
if alive apiserver && alive kubelet; then echo "the cluster is up: export KUBECONFIG=$KUBECONFIG_FILE"; exit 0; fi
if [ ! -d "$STATE" ] && iptables -t nat -n -L KUBE-SERVICES >/dev/null 2>&1; then
  echo 'Another Kubernetes cluster runs on this machine: set KUBECONFIG to use it.' >&2
  exit 1
fi

mkdir -p "$STATE"/{pki,log,pid} "$DATA"/{kubelet,volumes}
started_ns=$(date +%s%N)
print_time() { printf "%-24s %6.1f s\n" "$1" "$(( ($(date +%s%N) - started_ns) / 100000000 ))e-1"; }

if ! ip link show "$BRIDGE" >/dev/null 2>&1; then
  ip link add "$BRIDGE" type bridge
  ip addr add "$NODE_IP/24" dev "$BRIDGE"
  ip link set "$BRIDGE" up
fi
sysctl -qw net.ipv4.ip_forward=1
# Addresses of services without rules, for a moment those of a service that has lost its pods: another machine must not answer.
for chain in OUTPUT FORWARD; do
  iptables -C "$chain" -d "$SERVICE_RANGE" -j REJECT 2>/dev/null || iptables -A "$chain" -d "$SERVICE_RANGE" -j REJECT
done
sysctl -qw net.bridge.bridge-nf-call-iptables=1 2>/dev/null || true

if [ ! -f "$STATE/pki/ca.crt" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$STATE/pki/ca.key" \
    -out "$STATE/pki/ca.crt" -subj /CN=husky-kube -days 365 2>/dev/null
  openssl ecparam -name prime256v1 -genkey -noout -out "$STATE/pki/sa.key"
  certificate apiserver /CN=kube-apiserver
  certificate admin /O=system:masters/CN=admin
fi
cat >"$KUBECONFIG_FILE" <<YAML
apiVersion: v1
kind: Config
clusters: [{name: husky, cluster: {server: "$API", certificate-authority: $STATE/pki/ca.crt}}]
users: [{name: admin, user: {client-certificate: $STATE/pki/admin.crt, client-key: $STATE/pki/admin.key}}]
contexts: [{name: husky, context: {cluster: husky, user: admin}}]
current-context: husky
YAML
chmod 600 "$KUBECONFIG_FILE"

start_etcd
start_apiserver
until_true 90 'The API server did not become ready' kubectl get --raw /readyz
print_time 'API server ready'
spawn controller-manager "$BIN/kube-controller-manager" --kubeconfig "$KUBECONFIG_FILE" \
  --service-account-private-key-file="$STATE/pki/sa.key" --root-ca-file="$STATE/pki/ca.crt" \
  --use-service-account-credentials --leader-elect=false --bind-address=127.0.0.1
spawn scheduler "$BIN/kube-scheduler" --kubeconfig "$KUBECONFIG_FILE" --leader-elect=false --bind-address=127.0.0.1

configure_containerd
start_containerd
until_true 20 'containerd did not start' ctr -a "$CONTAINERD_SOCKET" version
"$here/pause-image.sh" "$CACHE/pause.tar"
import_pause
print_time 'containerd ready'

start_kubelet --node-labels=topology.kubernetes.io/zone=zone1
start_proxy
cat >"$STATE/Corefile" <<CORE
cluster.local:53 in-addr.arpa:53 {
  bind $NODE_IP
  errors
  ready 127.0.0.1:8181
  kubernetes cluster.local in-addr.arpa {
    kubeconfig $KUBECONFIG_FILE
    ttl 1
  }
}
.:53 {
  bind $NODE_IP
  template ANY ANY {
    rcode NXDOMAIN
  }
}
CORE
spawn coredns "$BIN/coredns" -conf "$STATE/Corefile"
until_true 60 'The node did not become ready' node_ready
print_time 'node ready'
until_true 30 'The default service account is missing' kubectl get serviceaccount default
until_true 30 'CoreDNS did not become ready' curl -fsS http://127.0.0.1:8181/ready

# Persistent volumes, enough for two releases in succession, because a volume is not used twice. The kubelet gives each volume to its
# pod's fsGroup.
for number in $(seq 32); do mkdir -p -m 0770 "$DATA/volumes/$number"; done
{
  cat <<YAML
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: husky-local, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
YAML
  for number in $(seq 32); do
    cat <<YAML
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: husky-local-$number}
spec:
  capacity: {storage: 20Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: husky-local
  local: {path: $DATA/volumes/$number}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [node1]}]}]}}
YAML
  done
} | kubectl apply -f - >/dev/null
print_time 'cluster ready'
echo "export KUBECONFIG=$KUBECONFIG_FILE"
