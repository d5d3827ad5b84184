{{- define "husky.name" -}}{{ .Values.nameOverride | default .Release.Name | trunc 40 | trimSuffix "-" }}{{- end }}
{{- define "husky.runnersNamespace" -}}{{ .Values.runners.namespace | default (printf "%s-runners" .Release.Namespace) }}{{- end }}
{{- define "husky.tag" -}}{{ .Values.image.tag | default .Chart.AppVersion }}{{- end }}

{{/* What a part is and who calls it; the services' own READMEs say the same. */}}
{{- define "husky.parts" -}}
gateway: {database: false, nats: true, callers: [], http: true}
auth: {database: true, nats: true, callers: [gateway, simulation]}
submission: {database: true, nats: true, callers: [gateway, simulation], runners: true}
simulation: {database: true, nats: true, callers: [gateway, live-data, leaderboard, pool], runners: true}
live-data: {database: true, nats: true, callers: [gateway, simulation], runners: true}
leaderboard: {database: true, nats: true, callers: [gateway]}
pool: {database: true, nats: true, callers: [gateway]}
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
{{- define "husky.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "husky.databaseHost" -}}
{{- if .Values.postgresql.enabled }}{{ include "husky.name" . }}-postgres:5432{{ else }}{{ required "postgresql.external.host is needed" .Values.postgresql.external.host }}:{{ .Values.postgresql.external.port }}{{ end }}
{{- end }}
{{- define "husky.natsUrl" -}}
{{- if .Values.nats.enabled }}nats://{{ include "husky.name" . }}-nats:4222{{ else }}{{ required "nats.external.url is needed" .Values.nats.external.url }}{{ end }}
{{- end }}

{{/* Addresses of the services as every pod, also one of another namespace, resolves them. */}}
{{- define "husky.addresses" -}}
{{- range $part, $what := fromYaml (include "husky.parts" .) }}
{{- if ne $part "gateway" }}
- {name: {{ $part | upper | replace "-" "_" }}_ADDRESS, value: "{{ include "husky.name" $ }}-{{ $part }}.{{ $.Release.Namespace }}.svc.{{ $.Values.clusterDomain }}:50051"}
{{- end }}
{{- end }}
{{- end }}
{{- define "husky.spread" -}}
{{- if .root.Values.topologySpread.enabled }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: {matchLabels: {{ include "husky.selector" . | fromYaml | toJson }}}
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: {matchLabels: {{ include "husky.selector" . | fromYaml | toJson }}}
{{- end }}
{{- end }}
