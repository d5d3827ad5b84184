#!/usr/bin/env bash
# usage: cert-manager.sh start|stop
# start runs cert-manager (cert-manager/main.go) as a process beside the test cluster and registers its custom resources and admission
# webhook. stop removes all of them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=versions.env
. "$here/versions.env"
# shellcheck source=processes.sh
. "$here/processes.sh"
resources=$CACHE/programs/cert-manager-$CERT_MANAGER/cert-manager-crds
port=10260

# usage: webhook KIND PATH OPERATIONS GROUPS RESOURCES
webhook() {
  cat <<YAML
---
apiVersion: admissionregistration.k8s.io/v1
kind: $1
metadata: {name: cert-manager}
webhooks:
  - name: webhook.cert-manager.io
    rules: [{apiGroups: [$4], apiVersions: [v1], operations: [$3], resources: ["$5"]}]
    admissionReviewVersions: [v1]
    sideEffects: None
    timeoutSeconds: 10
    clientConfig: {url: "https://$NODE_IP:$port/$2", caBundle: $(base64 -w0 "$STATE/pki/ca.crt")}
YAML
}
webhooks() {
  webhook MutatingWebhookConfiguration mutate CREATE cert-manager.io certificaterequests
  webhook ValidatingWebhookConfiguration validate 'CREATE, UPDATE' 'cert-manager.io, acme.cert-manager.io' '*/*'
}
webhook_responds() {
  printf '{apiVersion: cert-manager.io/v1, kind: ClusterIssuer, metadata: {name: probe}, spec: {selfSigned: {}}}' |
    kubectl create --dry-run=server -f -
}

case ${1:?start or stop} in
  start)
    "$here/build.sh" cert-manager >/dev/null
    kubectl apply --server-side -f "$resources" >/dev/null
    kubectl wait --for=condition=Established --timeout=30s -f "$resources" >/dev/null
    kubectl create namespace cert-manager --dry-run=client -o yaml | kubectl apply -f - >/dev/null
    [ -f "$STATE/pki/cert-manager.crt" ] || certificate cert-manager /CN=cert-manager
    alive cert-manager || spawn cert-manager "$BIN/cert-manager" --kubeconfig "$KUBECONFIG_FILE" --webhook-port "$port" \
      --webhook-certificate "$STATE/pki/cert-manager.crt" --webhook-key "$STATE/pki/cert-manager.key"
    webhooks | kubectl apply -f - >/dev/null
    until_true 60 "cert-manager's webhook did not respond" webhook_responds
    ;;
  stop)
    webhooks | kubectl delete --ignore-not-found -f - >/dev/null
    kubectl delete --ignore-not-found --timeout=60s -f "$resources" >/dev/null
    kubectl delete namespace cert-manager --ignore-not-found --timeout=60s >/dev/null
    terminate cert-manager
    ;;
  *) echo "there is no $1" >&2; exit 1 ;;
esac
