// Which values the chart accepts.
import { expect, test } from 'vitest';
import { helm, read, template } from './rendered-chart.ts';

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

test.runIf(helm).each(Object.entries({ ...misspelled, ...contradictions, ...outOfRange, ...badUrls }))(
  'refuses %s',
  (set, sentence) => {
    const { status, output } = template('--set', set);
    expect(output).toContain(sentence);
    expect(status).not.toBe(0);
  },
);

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
    '/definitions/resources/properties/claims/items',
    '/definitions/pod/properties/tolerations/items',
    '/definitions/pod/properties/affinity',
    '/properties/global',
    '/properties/image/properties/pullSecrets/items',
    '/properties/runners/properties/tolerations/items',
    '/properties/httpRoute/properties/parentRefs/items',
  ]);
});
