#!/usr/bin/env bash
# usage: metrics-server.sh start|stop
# start runs metrics-server as a process beside the test cluster and registers it with the API server. stop removes both.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=processes.sh
. "$here/processes.sh"

# The API server reaches metrics-server through a Service without a selector.
resources() {
  cat <<YAML
apiVersion: v1
kind: Service
metadata: {name: metrics-server, namespace: kube-system}
spec: {ports: [{name: https, port: 443, targetPort: 4443}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: metrics-server, namespace: kube-system, labels: {kubernetes.io/service-name: metrics-server}}
addressType: IPv4
endpoints: [{addresses: ["$NODE_IP"], conditions: {ready: true}}]
ports: [{name: https, port: 4443, protocol: TCP}]
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec:
  group: metrics.k8s.io
  version: v1beta1
  groupPriorityMinimum: 100
  versionPriority: 100
  service: {name: metrics-server, namespace: kube-system}
  caBundle: $(base64 -w0 "$STATE/pki/ca.crt")
YAML
}
read_metrics() { kubectl top node node1 --no-headers; }

case ${1:?start or stop} in
  start)
    "$here/build.sh" metrics-server >/dev/null
    [ -f "$STATE/pki/metrics-server.crt" ] || certificate metrics-server /CN=metrics-server metrics-server.kube-system.svc
    # --kubelet-insecure-tls: the kubelets have self-signed certificates.
    alive metrics-server || spawn metrics-server "$BIN/metrics-server" --kubeconfig "$KUBECONFIG_FILE" --authentication-kubeconfig "$KUBECONFIG_FILE" \
      --authorization-kubeconfig "$KUBECONFIG_FILE" --bind-address="$NODE_IP" --secure-port=4443 \
      --tls-cert-file="$STATE/pki/metrics-server.crt" --tls-private-key-file="$STATE/pki/metrics-server.key" \
      --kubelet-insecure-tls --kubelet-preferred-address-types=InternalIP --metric-resolution=10s --kubelet-request-timeout=5s
    resources | kubectl apply -f - >/dev/null
    until_true 60 'metrics-server has no metrics of the node' read_metrics
    ;;
  stop)
    resources | kubectl delete --ignore-not-found -f - >/dev/null
    terminate metrics-server
    ;;
  *) echo "there is no $1" >&2; exit 1 ;;
esac
