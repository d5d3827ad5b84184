#!/usr/bin/env bash
# usage: traefik.sh start|stop
# start runs Traefik as a process beside the test cluster, for the classes `traefik` of Ingress and Gateway API, on ports 80 and 443 of the
# node's address. stop removes it, its classes and the custom resources of the Gateway API.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=processes.sh
. "$here/processes.sh"

classes() {
  cat <<YAML
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: traefik}
spec: {controller: traefik.io/ingress-controller}
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: traefik}
spec: {controllerName: traefik.io/gateway-controller}
YAML
}
is_accepted() { kubectl wait --for=condition=Accepted --timeout=5s gatewayclass/traefik; }

case ${1:?start or stop} in
  start)
    "$here/build.sh" traefik gateway-api >/dev/null
    kubectl apply --server-side -f "$BIN/gateway-api-crds/" >/dev/null
    kubectl wait --for=condition=Established --timeout=60s crd --all >/dev/null
    classes | kubectl apply -f - >/dev/null
    # Its check for a newer version would leave the cluster's networks.
    alive traefik || KUBECONFIG=$KUBECONFIG_FILE spawn traefik "$BIN/traefik" --entrypoints.web.address="$NODE_IP:80" \
      --entrypoints.websecure.address="$NODE_IP:443" --providers.kubernetesingress --providers.kubernetesgateway \
      --global.checknewversion=false --global.sendanonymoususage=false --log.level=INFO
    until_true 60 'Traefik has not accepted its GatewayClass' is_accepted
    ;;
  stop)
    terminate traefik
    classes | kubectl delete --ignore-not-found -f - >/dev/null
    kubectl delete --ignore-not-found --timeout=60s -f "$BIN/gateway-api-crds/" >/dev/null
    ;;
  *) echo "there is no $1" >&2; exit 1 ;;
esac
