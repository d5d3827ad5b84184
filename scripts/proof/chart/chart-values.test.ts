// Which values the chart accepts, and what those change that apply to every part.
import { loadAllYaml } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { helm, type Rendered, read, template } from './rendered-chart.ts';

const misspelled = {
  'ingress.hots=a.example': "'/ingress': additional properties 'hots' not allowed",
  'monitoring.rulez=true': "'/monitoring': additional properties 'rulez' not allowed",
  'topologySpread.enable=false': "'/topologySpread': additional properties 'enable' not allowed",
  'podDisruptionBudgets.enable=false': "'/podDisruptionBudgets': additional properties 'enable' not allowed",
  'gateway.service.prot=80': "'/gateway/service': additional properties 'prot' not allowed",
  'runners.quota.cpu=8': "'/runners/quota': additional properties 'cpu' not allowed",
  'runners.seats.env.A=b': "'/runners/seats': additional properties 'env' not allowed",
  'nats.resources.limit.memory=1Gi': "'/nats/resources': additional properties 'limit' not allowed",
  'dnsConfig.option=1': "'/dnsConfig': additional properties 'option' not allowed",
};
const contradictions = {
  'services.auth.autoscaling.enabled=true,services.auth.autoscaling.min=5':
    'services.auth.autoscaling.min is 5, more than max, which is 4',
  'runners.autoscaling.maximum=17': 'runners.autoscaling.maximum is 17, more than runners.maxSize, which is 16',
  'runners.autoscaling.minimum=5,runners.autoscaling.maximum=4':
    'runners.autoscaling.minimum is 5, more than the maximum, which is 4',
  'runners.firstSize=17': 'runners.firstSize is 17, more than runners.maxSize, which is 16',
};
const outOfRange = {
  'tracesSampler.ratio=1.5': "'/tracesSampler/ratio'",
  'tracesSampler.ratio=2': "'/tracesSampler/ratio'",
  'tracesSampler.ratio=all': "'/tracesSampler/ratio'",
};

/** Values that the schema refuses, alone or together. */
const refusedBySchema = [
  'runners.firstSize=2',
  'services.pool.replicas=0',
  'services.auth.pod.nodeName=a',
  'postgresql.external.rolePrefix=Husky',
  'nats.replicas=2',
  'nats.runAsUser=0',
  'runners.limitRange.max=4Gi',
  'publicUrl=localhost',
  'services.gateway.replicas=none',
  'image.pullPolicy=Sometimes',
  'identity.mode=ldap',
  'identity.mode=keycloak,identity.keycloak.clientSecret.name=secret',
  'identity.mode=keycloak,identity.keycloak.url=https://id.example.org',
  'identity.mode=keycloak,identity.keycloak.url=https://id.example.org,identity.keycloak.clientSecret.value=secret',
  'tls.enabled=yes',
  'postgresql.external.sslmode=prefer',
  'tls.existingSecrets=holdem-{part}',
  'tls.enabled=true,tls.existingSecrets=holdem',
  'tls.enabled=true,tls.existingSecrets=holdem-{part},tls.certManager.issuerRef.name=ca',
  'tls.enabled=true,secrets.generate=false',
  'services.auth.autoscaling.downSeconds=-1',
  'httpRoute.enabled=true',
];

/** Values that Kubernetes refuses, or that no server has: the error names their path. */
const refusedByKubernetes = Object.fromEntries(
  [
    'ingress.host=a_b.example',
    'ingress.hosts[0]=https://a.example',
    'httpRoute.hostnames[0]=A.example',
    'publicUrl=https://club.example:65536',
    'publicUrl=https://club<example',
    'otlpEndpoint=http://c:99999',
    'postgresql.external.host=postgres://db',
    'postgresql.external.port=65536',
    'clusterDomain=cluster_local',
    'services.auth.resources.requests.memory=128Mb',
    'nats.resources.limits.cpu=-1',
    'runners.volumeSize=2 Gi',
    'runners.quota.requestsMemory=1GiB',
    'image.tag=a/b',
    'image.digests.app=sha256:12',
    'load.image=https://k6',
    'fullnameOverride=9a',
    'runners.namespace=a.b',
    'mail.existingSecret=A',
    'pods.labels.team=a b',
    'services.gateway.service.loadBalancerIP=a.example',
    'services.gateway.service.nodePort=0',
    'monitoring.scrapeInterval=2m',
    'postgresql.storage.existingClaim=a/b',
  ].map((set) => [
    set,
    `'/${set
      .split('=', 1)[0]
      ?.replaceAll(/\[?[.[]/g, '/')
      .replace(']', '')}'`,
  ]),
);
const refusedNames = {
  'services.auth.env.A-B=c': "'/services/auth/env'",
  'pods.annotations.a b=c': "'/pods/annotations'",
  'postgresql.parameters.max_connections=5': "'/postgresql/parameters/max_connections'",
};

const badUrls = Object.fromEntries(
  [
    ...['/poker', '/poker/', '?a=b', '/#top', ':0', ' '].map((end) => `publicUrl=https://club.example${end}`),
    ...['club.example', 'ftp://club.example', 'https://', 'https://user:secret@club.example'].map(
      (url) => `publicUrl=${url}`,
    ),
    'identity.keycloak.url=https://id.example.org/?realm=a',
    'submission.packageIndexUrl=pypi.example.org/simple',
    'otlpEndpoint=collector:4318',
    'backup.copyTo.url=s3://key:secret@bucket',
    'nats.external.url=nats.example.org:4222',
  ].map((set) => [set, `'/${set.split('=', 1)[0]?.replaceAll('.', '/')}'`]),
);

test.runIf(helm).each(
  Object.entries({
    ...misspelled,
    ...contradictions,
    ...outOfRange,
    ...badUrls,
    ...refusedByKubernetes,
    ...refusedNames,
  }),
)('refuses %s', (set, sentence) => {
  const { status, output } = template('--set', set);
  expect(output).toContain(sentence);
  expect(status).not.toBe(0);
});

test.runIf(helm).each(refusedBySchema)('refuses %s', (set) => {
  const { status, output } = template('--set', set);
  expect(output).toContain("values don't meet the specifications");
  expect(status).not.toBe(0);
});

test.runIf(helm).each(['0', '1', '0.1', '1.0'])('accepts the sampling ratio %s of --set', (ratio) => {
  const set = `otlpEndpoint=http://collector:4318,tracesSampler.ratio=${ratio}`;
  expect(template('--set', set, '--show-only', 'templates/runners.yaml').output).toContain(
    `{name: OTEL_TRACES_SAMPLER_ARG, value: "${ratio}"}`,
  );
});

test.runIf(helm).each(['http://localhost:8080', 'https://holdem.example.org/', 'http://[::1]:8080'])(
  'accepts the public URL %s',
  (url) => {
    expect(template('--set-string', `publicUrl=${url}`).status).toBe(0);
  },
);

const objects = (...args: readonly string[]) => {
  const { status, output } = template(...args);
  expect(status, output).toBe(0);
  return loadAllYaml(output) as Rendered[];
};

test.runIf(helm)('values of earlier charts are those of their new places', () => {
  const moved = {
    'nameOverride=a': 'fullnameOverride=a',
    'clusterDomain=a.b': 'pods.clusterDomain=a.b',
    'drainSeconds=0': 'pods.drainSeconds=0',
    'lostNodeSeconds=1': 'pods.lostNodeSeconds=1',
    'dnsConfig=null': 'pods.dnsConfig=null',
    'topologySpread.enabled=false': 'pods.topologySpread.enabled=false',
    'podDisruptionBudgets.enabled=false': 'pods.disruptionBudgets.enabled=false',
    'gateway.service.port=81': 'services.gateway.service.port=81',
    'submission.runnerPython=3.12': 'services.submission.runnerPython=3.12',
    'logLevel=debug': 'monitoring.logLevel=debug',
    'otlpEndpoint=http://c:4318': 'monitoring.otlpEndpoint=http://c:4318',
    'tracesSampler.ratio=0': 'monitoring.tracesSampler.ratio=0',
    'ingress.enabled=true,ingress.host=a.example': 'ingress.enabled=true,ingress.hosts={a.example}',
  };
  const render = (sets: readonly string[]) => template('--set', sets.join(',')).output;
  expect(render(Object.keys(moved))).toBe(render(Object.values(moved)));
});

test.runIf(helm)('labels, annotations and settings of pods reach every object and part', () => {
  const json = {
    commonLabels: { team: 'events' },
    commonAnnotations: { contact: 'events@example.org' },
    extraObjects: [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ include "husky.name" . }}-own' } },
      'apiVersion: example.org/v1\nkind: Job\nmetadata: {name: own, annotations: {contact: mine}}',
    ],
    pods: {
      serviceAccount: { annotations: { role: 'all' } },
      spec: { volumes: [{ name: 'ca', configMap: { name: 'ca' } }], securityContext: { supplementalGroups: [5] } },
      container: {
        envFrom: [{ secretRef: { name: 'proxy' } }],
        volumeMounts: [{ name: 'ca', mountPath: '/ca' }],
        securityContext: { readOnlyRootFilesystem: false },
      },
    },
    backup: { enabled: true },
    load: { enabled: true },
    'services.auth.pod': {
      serviceAccount: { annotations: { role: 'auth' } },
      spec: {
        volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '1Gi' } }],
        containers: [{ name: 'sidecar', image: 'proxy' }],
        securityContext: { fsGroup: 7 },
      },
      container: {
        livenessProbe: null,
        startupProbe: { failureThreshold: 9 },
        readinessProbe: { exec: { command: ['a'] } },
      },
    },
    'services.gateway.service': { type: 'LoadBalancer', annotations: { zone: 'a' }, loadBalancerIP: '192.0.2.1' },
    'image.digests': { app: `sha256:${'0'.repeat(64)}` },
  };
  const all = objects(
    ...Object.entries(json).flatMap(([key, value]) => ['--set-json', `${key}=${JSON.stringify(value)}`]),
  );
  const find = (kind: string, name: string) => {
    const found = all.find((one) => one.kind === kind && one.metadata.name === name);
    if (!found) throw new Error(`no ${kind} ${name}`);
    return JSON.parse(JSON.stringify(found));
  };
  let pods = 0;
  for (const { kind, metadata, spec } of all) {
    const name = `${kind} ${metadata.name}`;
    expect(metadata, name).toMatchObject({ labels: { team: 'events' }, annotations: { contact: expect.anything() } });
    const pod = kind === 'Pod' ? { metadata, spec } : (spec?.template ?? spec?.jobTemplate?.spec.template);
    if (!pod?.metadata) continue;
    pods += 1;
    expect(pod, name).toMatchObject({
      metadata: { labels: { team: 'events' } },
      spec: {
        volumes: expect.arrayContaining([{ name: 'ca', configMap: { name: 'ca' } }]),
        securityContext: { supplementalGroups: [5], runAsNonRoot: true },
      },
    });
    const container = (pod.spec as { containers: object[] }).containers[0];
    expect(container, name).toMatchObject({
      envFrom: [{ secretRef: { name: 'proxy' } }],
      volumeMounts: expect.arrayContaining([{ name: 'ca', mountPath: '/ca' }]),
      securityContext: { readOnlyRootFilesystem: false, allowPrivilegeEscalation: false },
    });
  }
  expect(pods).toBe(15);
  expect(find('ConfigMap', 'husky-own').metadata.annotations).toEqual({ contact: 'events@example.org' });
  expect(find('Job', 'own').metadata.annotations).toEqual({ contact: 'mine' });
  expect(find('ServiceAccount', 'husky-auth').metadata.annotations.role).toBe('auth');
  expect(find('ServiceAccount', 'husky-pool').metadata.annotations.role).toBe('all');
  expect(find('Service', 'husky-gateway')).toMatchObject({
    metadata: { annotations: { zone: 'a', contact: 'events@example.org' } },
    spec: { type: 'LoadBalancer', loadBalancerIP: '192.0.2.1', ports: [{ port: 80 }] },
  });
  expect(find('Service', 'husky-gateway-ops').spec).not.toHaveProperty('loadBalancerIP');
  const { spec } = find('Deployment', 'husky-auth').spec.template;
  const [auth, sidecar, ...others] = spec.containers;
  expect([sidecar, others]).toEqual([{ name: 'sidecar', image: 'proxy' }, []]);
  expect(spec.securityContext).toMatchObject({ fsGroup: 7, runAsUser: 65532 });
  expect(spec.volumes.filter(({ name }: { name: string }) => name === 'tmp')).toEqual([
    { name: 'tmp', emptyDir: { sizeLimit: '1Gi' } },
  ]);
  expect(auth).not.toHaveProperty('livenessProbe');
  expect(auth.startupProbe).toMatchObject({ httpGet: { path: '/healthz' }, failureThreshold: 9 });
  expect(auth.readinessProbe).toEqual({
    exec: { command: ['a'] },
    periodSeconds: 2,
    timeoutSeconds: 3,
    failureThreshold: 3,
  });
  expect(auth.image).toMatch(/^husky-holdem\/app:[\d.]+@sha256:0{64}$/);
});

test.runIf(helm)("PostgreSQL's settings change its pod, and its volume can be an existing claim", () => {
  const postgres = (set: string) => {
    const args = ['--show-only', 'templates/postgres.yaml', '--set', set];
    const rendered = objects(...args);
    const config = rendered.find(({ kind }) => kind === 'ConfigMap');
    const spec = rendered.find(({ kind }) => kind === 'StatefulSet')?.spec;
    return { config: JSON.stringify(config), pod: JSON.stringify(spec?.template), spec };
  };
  const usual = postgres('adminUsername=other');
  for (const set of ['postgresql.maxConnections=300', 'postgresql.parameters.work_mem=8MB']) {
    expect(postgres(set).pod, set).not.toBe(usual.pod);
  }
  expect(postgres("postgresql.parameters.log_line_prefix=it's ").config).toContain("-c 'log_line_prefix=it'\\\\''s '");
  const { spec } = postgres('postgresql.storage.existingClaim=mine');
  expect(spec).not.toHaveProperty('volumeClaimTemplates');
  expect(spec?.template?.spec?.volumes).toContainEqual({ name: 'data', persistentVolumeClaim: { claimName: 'mine' } });
});

type Schema = { readonly [key: string]: unknown };

/** Returns the paths of objects whose values the schema does not list. */
function openObjects(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, additionalProperties } = schema as Schema;
  const open = [type].flat().includes('object') && additionalProperties === undefined ? [path] : [];
  return [...open, ...Object.entries(schema).flatMap(([key, value]) => openObjects(value, `${path}/${key}`))];
}

test("the schema lists the values of every object but Kubernetes' own", () => {
  expect(openObjects(JSON.parse(read('values.schema.json')))).toEqual([
    '/definitions/object',
    '/properties/global',
    '/properties/httpRoute/properties/parentRefs/items',
    '/properties/extraObjects/items',
  ]);
});
