{{/* Moves values from where earlier charts had them. Idempotent. */}}
{{- define "husky.values" -}}
{{- range $old, $new := dict
  "nameOverride" "fullnameOverride" "clusterDomain" "pods.clusterDomain" "drainSeconds" "pods.drainSeconds" "lostNodeSeconds" "pods.lostNodeSeconds"
  "dnsConfig" "pods.dnsConfig" "topologySpread" "pods.topologySpread" "podDisruptionBudgets" "pods.disruptionBudgets" "gateway" "services.gateway"
  "submission" "services.submission" "logLevel" "monitoring.logLevel" "otlpEndpoint" "monitoring.otlpEndpoint" "tracesSampler" "monitoring.tracesSampler" }}
{{- if hasKey $.Values $old }}
{{- $path := splitList "." $new }}
{{- $parent := len $path | eq 1 | ternary $.Values (index $.Values (first $path)) }}
{{- include "husky.overlay" (dict "base" $parent "over" (dict (last $path) (get $.Values $old))) }}
{{- $_ := unset $.Values $old }}
{{- end }}
{{- end }}
{{- end }}
{{/* (dict "base" map "over" map "append" bool): changes base in place: maps are merged, null removes an entry, lists and everything else are replaced.
     A map with a handler (of a probe or hook) replaces another one. append: entries of lists are added, those of the same name replaced or, if they
     are containers, merged. */}}
{{- define "husky.overlay" -}}
{{- range $key, $value := .over }}
{{- $now := get $.base $key }}
{{- if kindIs "invalid" $value }}{{ $_ := unset $.base $key }}
{{- else if and (kindIs "map" $value) (kindIs "map" $now) }}
{{- if pick $value "httpGet" "exec" "tcpSocket" "grpc" "sleep" }}{{ $now = omit $now "httpGet" "exec" "tcpSocket" "grpc" "sleep" }}{{ end }}
{{- include "husky.overlay" (merge (dict "base" $now "over" $value) (omit $ "base" "over")) }}
{{- $_ := set $.base $key $now }}
{{- else if and $.append (kindIs "slice" $value) (kindIs "slice" $now) }}
{{- $list := $now }}
{{- range $added := $value }}
{{- $same := dict }}
{{- $others := list }}
{{- range $item := $list }}
{{- if and (kindIs "map" $item) (kindIs "map" $added) (hasKey $item "name") (ne $key "volumeMounts") (eq (toString $item.name) (toString (get $added "name"))) }}
{{- $same = $item }}
{{- if has $key (list "containers" "initContainers") }}{{ include "husky.overlay" (dict "base" $item "over" $added "append" true) }}{{ else }}{{ $item = $added }}{{ end }}
{{- end }}
{{- $others = append $others $item }}
{{- end }}
{{- $list = empty $same | ternary (append $others $added) $others }}
{{- end }}
{{- $_ := set $.base $key $list }}
{{- else }}{{ $_ := set $.base $key $value }}
{{- end }}
{{- end }}
{{- end }}
{{/* (dict "root" $ "part" "auth"): the values of a part, by its label component. */}}
{{- define "husky.partValues" -}}
{{- with .root.Values }}
{{- $parts := dict "runner" .runners "postgres" .postgresql "nats" .nats "load" .load "backup" .backup "copy-backups" .backup "secrets" .jobs "migrate" .jobs "test" .jobs }}
{{- get (merge $parts .services) $.part | default dict | toYaml }}
{{- end }}
{{- end }}
{{/* (dict "root" $ "file" "edge"): the objects of the template husky.<file>, with the labels and annotations that values add and, but for
     extra objects, the settings of pods, Services and service accounts. */}}
{{- define "husky.render" -}}
{{- include "husky.values" .root }}
{{- $values := .root.Values }}
{{- $text := include (printf "husky.file.%s" .file) .root }}
{{- with $values.monitoring.runbookUrl }}
{{- $text = regexReplaceAll `(- alert: (\w+)\n(?: {10}.*\n)*? {10}annotations: \{)` $text (printf `${1}runbook_url: "%s#${2}", ` (replace "$" "$$" .)) }}
{{- end }}
{{- range $document := regexSplit `(?m)^---$` $text -1 }}
{{- $object := fromYaml $document }}
{{- if hasKey $object "kind" }}
{{- $before := toJson $object }}
{{- $labels := get $object.metadata "labels" | default dict }}
{{- $own := include "husky.partValues" (dict "root" $.root "part" (get $labels "app.kubernetes.io/component")) | fromYaml }}
{{- $template := dict }}
{{- if eq $.file "extra" }}{{ $own = dict }}
{{- else if has $object.kind (list "Deployment" "StatefulSet" "Job") }}{{ $template = $object.spec.template }}
{{- else if eq $object.kind "CronJob" }}{{ $template = $object.spec.jobTemplate.spec.template }}
{{- else if eq $object.kind "Pod" }}{{ $template = $object }}
{{- end }}
{{- range $pod := list $values.pods ($own.pod | default dict) }}
{{- $pod = pick $pod "spec" "container" "serviceAccount" | deepCopy }}
{{- if $template }}
{{- include "husky.overlay" (dict "base" (first $template.spec.containers) "over" ($pod.container | default dict) "append" true) }}
{{- include "husky.overlay" (dict "base" $template.spec "over" ($pod.spec | default dict) "append" true) }}
{{- else if and (eq $object.kind "ServiceAccount") (ne $.file "extra") }}
{{- include "husky.overlay" (dict "base" $object.metadata "over" ($pod.serviceAccount | default dict)) }}
{{- end }}
{{- end }}
{{- if and (eq $object.kind "Service") (not (hasSuffix "-ops" $object.metadata.name)) }}
{{- with $own.service }}
{{- include "husky.overlay" (dict "base" $object.metadata "over" (empty .annotations | ternary dict (pick . "annotations"))) }}
{{- include "husky.overlay" (dict "base" $object.spec "over" (omit . "annotations" "type" "port" "nodePort")) }}
{{- end }}
{{- end }}
{{- with $values.commonAnnotations }}{{ $_ := set $object.metadata "annotations" (merge (get $object.metadata "annotations" | default dict) .) }}{{ end }}
{{- range $metadata := list $object.metadata (get $template "metadata" | default dict) }}
{{- with $values.commonLabels }}{{ $_ := set $metadata "labels" (merge (get $metadata "labels" | default dict) .) }}{{ end }}
{{- end }}
---
{{ eq $before (toJson $object) | ternary (trim $document) (toYaml $object) }}
{{ else if hasKey $object "Error" }}
---
{{ $document }}
{{ end }}
{{- end }}
{{- end }}
{{/* Not empty if values change all pods: part of the hash in the names of Jobs, which are immutable. */}}
{{- define "husky.podChanges" -}}
{{- with list .Values.pods.spec .Values.pods.container .Values.commonLabels | compact }}{{ toJson . }}{{ end }}
{{- end }}
{{/* (dict "root" $ "name" "app"): reference of an image. */}}
{{- define "husky.image" -}}
{{- with .root.Values.image }}{{ .repository }}/{{ $.name }}:{{ include "husky.tag" $.root }}{{ with get .digests $.name }}@{{ . }}{{ end }}{{ end }}
{{- end }}
{{- define "husky.name" -}}{{ .Values.fullnameOverride | default .Release.Name | trunc 40 | trimSuffix "-" }}{{- end }}
{{- define "husky.runnersNamespace" -}}{{ .Values.runners.namespace | default (printf "%s-runners" .Release.Namespace) }}{{- end }}
{{- define "husky.tag" -}}{{ .Values.image.tag | default .Chart.AppVersion }}{{- end }}

{{/* Properties of each part and its callers, as in docs/architecture.md. */}}
{{- define "husky.parts" -}}
gateway: {database: false, nats: true, callers: [], http: true}
auth: {database: true, nats: true, callers: [gateway, simulation]}
submission: {database: true, nats: true, callers: [gateway, simulation], runners: true}
simulation: {database: true, nats: true, callers: [gateway, live-data, leaderboard, pool], runners: true}
live-data: {database: true, nats: true, callers: [gateway, simulation], runners: true}
leaderboard: {database: true, nats: true, callers: [gateway]}
pool: {database: true, nats: true, callers: [gateway]}
{{- end }}

{{/* Refuses sizes that contradict each other, which the schema cannot compare. */}}
{{- define "husky.checkSizes" -}}
{{- range $part, $values := .Values.services }}
{{- with $values.autoscaling }}
{{- if and .enabled (gt (int .min) (int .max)) }}
{{- fail (printf "services.%s.autoscaling.min is %d, more than max, which is %d" $part (int .min) (int .max)) }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.runners }}
{{- $maximum := .autoscaling.maximum | default .maxSize | int }}
{{- if gt (int .firstSize) (int .maxSize) }}
{{- fail (printf "runners.firstSize is %d, more than runners.maxSize, which is %d" (int .firstSize) (int .maxSize)) }}
{{- end }}
{{- if gt $maximum (int .maxSize) }}
{{- fail (printf "runners.autoscaling.maximum is %d, more than runners.maxSize, which is %d" $maximum (int .maxSize)) }}
{{- end }}
{{- if gt (int .autoscaling.minimum) $maximum }}
{{- fail (printf "runners.autoscaling.minimum is %d, more than the maximum, which is %d" (int .autoscaling.minimum) $maximum) }}
{{- end }}
{{- end }}
{{- end }}

{{/* (dict "root" $ "part" "auth") */}}
{{- define "husky.selector" -}}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}
{{- define "husky.labels" -}}
{{ include "husky.selector" . }}
app.kubernetes.io/name: husky-holdem
app.kubernetes.io/part-of: husky-holdem
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* (dict "root" $ "values" values): pod settings of one part, merged over those of all pods. */}}
{{- define "husky.pod" -}}
{{- mergeOverwrite (deepCopy .root.Values.pods) (deepCopy (.values.pod | default dict)) | toYaml }}
{{- end }}
{{/* (dict "root" $ "part" "auth" "values" values): labels and annotations of a pod. `annotations`: required by the chart itself. `unversioned`:
     without versions, which would restart PostgreSQL at each upgrade. */}}
{{- define "husky.podMetadata" -}}
{{- $pod := include "husky.pod" . | fromYaml }}
{{- $labels := include "husky.labels" . | fromYaml }}
{{- if .unversioned }}{{ $labels = omit $labels "app.kubernetes.io/version" "helm.sh/chart" }}{{ end -}}
labels: {{- merge $labels $pod.labels | toYaml | nindent 2 }}
{{- with merge (.annotations | default dict) $pod.annotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{/* (dict "root" $ "values" values): placement and priority of a pod. `stateless`: the pod leaves a lost node after lostNodeSeconds. */}}
{{- define "husky.scheduling" -}}
{{- $pod := include "husky.pod" . | fromYaml }}
{{- if .stateless }}
{{- $tolerations := $pod.tolerations | default list }}
{{- $toleratedKeys := list }}
{{- range $tolerations }}{{ $toleratedKeys = append $toleratedKeys .key }}{{ end }}
{{- range $taint := list "node.kubernetes.io/not-ready" "node.kubernetes.io/unreachable" }}
{{- if has $taint $toleratedKeys }}{{ continue }}{{ end }}
{{- $tolerations = append $tolerations (dict "key" $taint "operator" "Exists" "effect" "NoExecute" "tolerationSeconds" (int $.root.Values.pods.lostNodeSeconds)) }}
{{- end }}
{{- $_ := set $pod "tolerations" $tolerations }}
{{- end }}
{{- range $field, $value := pick $pod "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- with $value }}
{{ $field }}: {{- if kindIs "string" . }} {{ . }}{{ else }}{{ toYaml . | nindent 2 }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{/* Additional environment variables: name -> value or source. */}}
{{- define "husky.env" -}}
{{- range $key, $value := . }}
- {name: {{ $key }}, {{ if kindIs "map" $value }}valueFrom: {{ toJson $value }}{{ else }}value: {{ $value | quote }}{{ end }}}
{{- end }}
{{- end }}

{{- define "husky.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .uid }}
runAsGroup: {{ .uid }}
fsGroup: {{ .fsGroup | default .uid }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}
{{- define "husky.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}
{{- define "husky.dns" -}}
{{- with .Values.pods.dnsConfig }}
dnsConfig: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- define "husky.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "husky.databaseName" -}}
{{- .Values.postgresql.enabled | ternary "husky" .Values.postgresql.external.database }}
{{- end }}
{{/* (dict "root" $ "part" "auth"): the service's role in PostgreSQL. */}}
{{- define "husky.databaseRole" -}}
{{- .root.Values.postgresql.enabled | ternary "husky_" .root.Values.postgresql.external.rolePrefix }}{{ .part | replace "-" "_" }}
{{- end }}
{{- define "husky.databaseHost" -}}
{{- if .Values.postgresql.enabled }}{{ include "husky.name" . }}-postgres:5432{{ else }}{{ required "postgresql.external.host is needed" .Values.postgresql.external.host }}:{{ .Values.postgresql.external.port }}{{ end }}
{{- end }}
{{/* (dict "root" $ "user" "husky_auth" "database" "husky"): URL without password; parameters as in services/lib/runtime/src/database/database-url.ts. */}}
{{- define "husky.databaseUrl" -}}
postgresql://{{ .user }}@{{ include "husky.databaseHost" .root }}/{{ .database }}{{ include "husky.databaseParameters" .root }}
{{- end }}
{{- define "husky.databaseParameters" -}}
{{- if not .Values.postgresql.enabled }}
{{- with .Values.postgresql.external }}
{{- $parameters := dict }}
{{- with .sslmode }}{{ $_ := set $parameters "sslmode" . }}{{ end }}
{{- if .caSecret.name }}{{ $_ := set $parameters "sslrootcert" "/etc/husky/database-ca/ca.crt" }}{{ end }}
{{- range $name, $value := .parameters }}{{ $_ := set $parameters $name $value }}{{ end }}
{{- $pairs := list }}
{{- range $name, $value := $parameters }}{{ $pairs = append $pairs (printf "%s=%s" $name ($value | toString | urlquery | replace "+" "%20")) }}{{ end }}
{{- with $pairs }}?{{ join "&" . }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{/* Not empty if the certificate of an external PostgreSQL is verified with its own CA. */}}
{{- define "husky.databaseCa" -}}
{{- if not .Values.postgresql.enabled }}{{ .Values.postgresql.external.caSecret.name }}{{ end }}
{{- end }}
{{- define "husky.databaseCaMount" -}}
- {name: database-ca, mountPath: /etc/husky/database-ca, readOnly: true}
{{- end }}
{{- define "husky.databaseCaVolume" -}}
{{- with .Values.postgresql.external.caSecret -}}
- {name: database-ca, secret: {secretName: {{ .name }}, defaultMode: 288, items: [{key: {{ .key }}, path: ca.crt}]}}
{{- end }}
{{- end }}
{{- define "husky.backupClaim" -}}
{{ .Values.backup.storage.existingClaim | default (printf "%s-backup" (include "husky.name" .)) }}
{{- end }}
{{/* Not empty if the chart's PostgreSQL archives its write-ahead log. */}}
{{- define "husky.archivesWal" -}}
{{- if and .Values.backup.enabled .Values.backup.pointInTime .Values.postgresql.enabled }}yes{{ end }}
{{- end }}
{{/* Variables for S3, from values with endpoint, region and existingSecret. */}}
{{- define "husky.s3Env" -}}
{{- with .endpoint }}
- {name: AWS_ENDPOINT_URL, value: {{ . | quote }}}
{{- end }}
- {name: AWS_REGION, value: {{ .region | quote }}}
- {name: AWS_ACCESS_KEY_ID, valueFrom: {secretKeyRef: {name: {{ .existingSecret }}, key: access-key-id}}}
- {name: AWS_SECRET_ACCESS_KEY, valueFrom: {secretKeyRef: {name: {{ .existingSecret }}, key: secret-access-key}}}
{{- end }}
{{- define "husky.natsUrl" -}}
{{- if .Values.nats.enabled }}nats://{{ include "husky.name" . }}-nats:4222{{ else }}{{ required "nats.external.url is needed" .Values.nats.external.url }}{{ end }}
{{- end }}

{{/* URL of Keycloak for auth. */}}
{{- define "husky.keycloakInternalUrl" -}}
{{- .Values.identity.keycloak.internalUrl | default .Values.identity.keycloak.url | trimSuffix "/" }}
{{- end }}
{{/* Identity settings of gateway (for browsers) and auth. */}}
{{- define "husky.identity" -}}
- {name: IDENTITY, value: keycloak}
- {name: KEYCLOAK_URL, value: {{ .Values.identity.keycloak.url | trimSuffix "/" | quote }}}
- {name: KEYCLOAK_REALM, value: {{ .Values.identity.keycloak.realm | quote }}}
- {name: KEYCLOAK_WEB_CLIENT_ID, value: {{ .Values.identity.keycloak.webClientId | quote }}}
{{- end }}

{{/* Port of a URL. */}}
{{- define "husky.portOf" -}}
{{- $url := urlParse . -}}
{{- regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (get (dict "https" "443" "nats" "4222") $url.scheme) | default "80" }}
{{- end }}
{{/* (dict "to" peers "ports" (list 443)): an egress rule over TCP; without peers to any destination. */}}
{{- define "husky.egress" -}}
{{- $ports := list }}
{{- range .ports }}{{ $ports = append $ports (dict "port" (int .)) }}{{ end }}
{{- $rule := dict "ports" $ports }}
{{- with .to }}{{ $_ := set $rule "to" . }}{{ end }}
{{- $rule | toJson }}
{{- end }}
{{/* The egress rule for DNS. */}}
{{- define "husky.egressDns" -}}
{{- $rule := dict "ports" (list (dict "port" 53 "protocol" "UDP") (dict "port" 53 "protocol" "TCP")) }}
{{- with .Values.networkPolicies.dnsTo }}{{ $_ := set $rule "to" . }}{{ end }}
{{- $rule | toJson }}
{{- end }}
{{/* The egress rule for PostgreSQL. */}}
{{- define "husky.egressPostgres" -}}
{{- if .Values.postgresql.enabled -}}
{{- include "husky.egress" (dict "to" (list (dict "podSelector" (dict "matchLabels" (include "husky.selector" (dict "root" . "part" "postgres") | fromYaml)))) "ports" (list 5432)) }}
{{- else -}}
{{- include "husky.egress" (dict "ports" (list (int .Values.postgresql.external.port))) }}
{{- end }}
{{- end }}
{{/* The ingress rule for metrics. */}}
{{- define "husky.ingressMetrics" -}}
{{- $rule := dict "ports" (list (dict "port" 9090)) }}
{{- with .Values.networkPolicies.metricsFrom }}{{ $_ := set $rule "from" . }}{{ end }}
{{- $rule | toJson }}
{{- end }}
{{/* Environment variables of OpenTelemetry. */}}
{{- define "husky.openTelemetry" -}}
{{- with .Values.monitoring.otlpEndpoint }}
- {name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }}}
- {name: OTEL_TRACES_SAMPLER, value: {{ $.Values.monitoring.tracesSampler.name | quote }}}
- {name: OTEL_TRACES_SAMPLER_ARG, value: {{ $.Values.monitoring.tracesSampler.ratio | quote }}}
- {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
- {name: NAMESPACE, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}
- {name: OTEL_RESOURCE_ATTRIBUTES, value: "service.version={{ include "husky.tag" $ }},service.instance.id=$(POD),k8s.pod.name=$(POD),k8s.namespace.name=$(NAMESPACE)"}
{{- end }}
{{- end }}

{{/* Addresses of the services, resolvable from every namespace. */}}
{{- define "husky.addresses" -}}
{{- range $part, $properties := fromYaml (include "husky.parts" .) }}
{{- if ne $part "gateway" }}
- {name: {{ $part | upper | replace "-" "_" }}_ADDRESS, value: "{{ include "husky.name" $ }}-{{ $part }}.{{ $.Release.Namespace }}.svc.{{ $.Values.pods.clusterDomain }}:50051"}
{{- end }}
{{- end }}
{{- end }}
{{/* Name of the secret with the certificate of a part. */}}
{{- define "husky.tlsSecret" -}}
{{- with .root.Values.tls.existingSecrets }}{{ . | replace "{part}" $.part }}{{ else }}{{ include "husky.name" .root }}-tls-{{ .part }}{{ end }}
{{- end }}
{{- define "husky.tlsByJob" -}}
{{- with .Values.tls }}{{ if and .enabled (not .existingSecrets) (not .certManager.issuerRef.name) }}yes{{ end }}{{ end }}
{{- end }}
{{- define "husky.tlsEnv" -}}
- {name: TLS_FOLDER, value: /etc/husky/tls}
{{- end }}
{{- define "husky.tlsVolume" -}}
- name: tls
  projected:
    defaultMode: 288
    sources:
      {{- with .root.Values.tls.caConfigMap }}
      - secret: {name: {{ include "husky.tlsSecret" $ }}, items: [{key: tls.crt, path: tls.crt}, {key: tls.key, path: tls.key}{{ if not .name }}, {key: ca.crt, path: ca.crt}{{ end }}]}
      {{- if .name }}
      - configMap: {name: {{ .name }}, items: [{key: {{ .key }}, path: ca.crt}]}
      {{- end }}
      {{- end }}
{{- end }}
{{- define "husky.spread" -}}
{{- if .root.Values.pods.topologySpread.enabled }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: {matchLabels: {{ include "husky.selector" . | fromYaml | toJson }}}
    matchLabelKeys: [pod-template-hash]
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: {matchLabels: {{ include "husky.selector" . | fromYaml | toJson }}}
    matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
