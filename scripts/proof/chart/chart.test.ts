// What the chart renders. Without Helm the renderings in the repository are still tested.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { loadAllYaml } from '@kubernetes/client-node';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../traces/receiver.ts';
import { chart, helm, objectsOf, podsOf, type Rendered, read, root, template, variable } from './rendered-chart.ts';
import { objectiveQueries } from './rendered-script.ts';

const services = ['auth', 'gateway', 'leaderboard', 'live-data', 'pool', 'simulation', 'submission'];

test('docs/slo.md has the recorded query of each objective', () => {
  const queries = objectiveQueries(read('ci/golden-prod.yaml'));
  expect([...queries.matchAll(/^# (.*)$/gm)].map(([, slo]) => slo)).toEqual([
    'reads-availability',
    'reads-latency',
    'writes-availability',
    'writes-latency',
    'sign-in',
    'verdict',
    'hands',
    'freshness',
  ]);
  expect(readFileSync(join(root, 'docs/slo.md'), 'utf8')).toContain(
    `<!-- queries -->\n\`\`\`\n${queries}\n\`\`\`\n<!--`,
  );
});

test('each alert leads to its entry in docs/operations.md, whose commands use only variables that it sets', () => {
  const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
  const rendered = read('ci/golden-prod.yaml') + read('ci/golden-options.yaml');
  const alerts = all(rendered, /- alert: (\w+)/g);
  expect(all(rendered, /runbook_url: "[^"]+operations\.md#(\w+)"/g)).toEqual(alerts);
  expect(all(operations, /<a id="(\w+)">/g).sort()).toEqual([...new Set(alerts)].sort());
  const set = ['REGISTRY', 'NODE', ...all(operations, /([A-Z_]+)=\$?\w/g)];
  for (const command of all(operations, /`((?:kubectl|helm|make|PGPASSWORD)[^`]*)`/g)) {
    expect(set, command).toEqual(expect.arrayContaining(all(command, /\$([A-Z_]+)/g)));
    expect(command).not.toMatch(/<[a-z-]+>|(-n |secret |exec |(deploy|deployment|statefulset|service|cronjob)\/)husky/);
  }
});

test.runIf(helm)('all renderings are current', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/proof/chart/render.ts'), '--check'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('the pod of PostgreSQL does not change with the version of the chart, so that an upgrade does not restart it', () => {
  const chartVersion = /^version: (.*)$/m.exec(read('Chart.yaml'))?.[1] ?? '';
  const { metadata, spec } = podsOf('options').get('StatefulSet husky-postgres') ?? {};
  expect(JSON.stringify(podsOf('options').get('StatefulSet husky-nats'))).toContain(chartVersion);
  expect(JSON.stringify({ labels: metadata?.labels, annotations: metadata?.annotations, spec })).not.toContain(
    chartVersion,
  );
});

test('every workload has the settings of all pods and its own', () => {
  const pods = podsOf('options');
  expect([...pods.keys()].sort()).toEqual(
    [
      ...services.map((part) => `Deployment husky-${part}`),
      'Deployment husky-runner',
      'StatefulSet husky-nats',
      'StatefulSet husky-postgres',
      'Job husky-load',
      'Job husky-migrate',
      'Job husky-secrets',
      'CronJob husky-backup',
      'CronJob husky-copy-backups',
    ].sort(),
  );
  for (const [name, { metadata, spec }] of pods) {
    const runner = name === 'Deployment husky-runner';
    expect(metadata?.labels?.['example.org/team'], name).toBe(name.startsWith('Job') ? 'operators' : 'events');
    expect(metadata?.annotations?.['example.org/contact'], name).toBe('events@example.org');
    expect(spec.nodeSelector, name).toEqual({
      'example.org/pool': runner ? 'runners' : 'holdem',
      ...(name === 'Deployment husky-auth' ? { 'example.org/disk': 'ssd' } : {}),
    });
    expect(spec.priorityClassName, name).toBe(runner ? 'husky-husky-matches' : 'holdem');
    expect(spec.tolerations, name).toContainEqual({ key: 'example.org/holdem', operator: 'Exists' });
  }
});

test('additional environment variables reach each part, as text', () => {
  const pods = podsOf('options');
  const example = (workload: string) =>
    [...(pods.get(workload)?.spec.initContainers ?? []), ...(pods.get(workload)?.spec.containers ?? [])].map(
      (container) => variable(container, 'EXAMPLE')?.value,
    );
  expect(example('Deployment husky-auth')).toEqual(['auth']);
  expect(example('Deployment husky-pool')).toEqual([undefined]);
  // The seat host starts with an empty environment.
  expect(example('Deployment husky-runner')).toEqual([undefined, 'dealer']);
  expect(example('StatefulSet husky-postgres')).toEqual(['postgres']);
  expect(example('StatefulSet husky-nats')).toEqual(['nats']);
  expect(example('CronJob husky-backup')).toEqual(['backup']);
  expect(example('Job husky-migrate')).toEqual(['jobs']);
  expect(example('Job husky-secrets')).toEqual(['jobs']);
  const [auth] = pods.get('Deployment husky-auth')?.spec.containers ?? [];
  expect(variable(auth, 'LIMIT')?.value).toBe('3');
  expect(variable(auth, 'FLAG')?.value).toBe('true');
});

/** Runs a module as a service would, with these environment variables. */
async function runModule(code: string, env: Readonly<Record<string, string>>): Promise<void> {
  const cwd = join(root, 'services/auth');
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd, env, stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  expect(status).toBe(0);
}

/** Expands references to earlier variables as the kubelet does. */
const expand = (reference: string, values: Readonly<Record<string, string>>) =>
  reference.replaceAll(/\$\((\w+)\)/g, (whole, name: string) => values[name] ?? whole);

test("spans of every part carry pod, version and instance, decoded from what the part's environment sends", async () => {
  const pods = podsOf('options');
  const attributes = [...services, 'runner'].map((part) => {
    const container = pods.get(`Deployment husky-${part}`)?.spec.containers[0];
    expect(variable(container, 'OTEL_TRACES_SAMPLER_ARG')?.value, part).toBe('0.1');
    expect(variable(container, 'POD')?.valueFrom?.fieldRef?.fieldPath, part).toBe('metadata.name');
    expect(variable(container, 'NAMESPACE')?.valueFrom?.fieldRef?.fieldPath, part).toBe('metadata.namespace');
    return variable(container, 'OTEL_RESOURCE_ATTRIBUTES')?.value ?? '';
  });
  const [shared = '', ...others] = [...new Set(attributes)];
  expect(others).toEqual([]);
  const receiver = await startReceiver();
  const script = `
    import { startTelemetry } from '@husky/runtime/telemetry/telemetry';
    import { startSpan } from '@husky/runtime/telemetry/trace-context';
    const telemetry = await startTelemetry('auth', { otlpEndpoint: '${receiver.endpoint}' });
    startSpan('work').end();
    await telemetry.shutdown();`;
  const pod = { POD: 'husky-auth-1', NAMESPACE: 'holdem' };
  await runModule(script, { OTEL_RESOURCE_ATTRIBUTES: expand(shared, pod) });
  await receiver.stop();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(receiver.spans[0]?.resource).toMatchObject({
    'service.name': 'auth',
    'service.version': version,
    'service.instance.id': 'husky-auth-1',
    'k8s.pod.name': 'husky-auth-1',
    'k8s.namespace.name': 'holdem',
  });
});

test('helm test says what to do if the administrator has changed the password', async () => {
  const site = createServer((request, response) => {
    const refused = request.url === '/auth/login' || request.url === '/docker/pool/status';
    response.writeHead(refused ? 401 : 200).end('{}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void site.close());
  await once(site, 'listening');
  const env = {
    SITE: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: 'first',
    ADMIN_SECRET: 'husky-admin',
  };
  const child = spawn(process.execPath, [join(chart, 'files/test.mjs')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(stderr).toBe(
    'The password of the Secret husky-admin is refused. If admin has changed it on the site, write the new one to the Secret.\n',
  );
  expect(status).toBe(1);
});

test('a second CronJob copies backups to a bucket; only it gets the keys and reaches the bucket, and not the database', () => {
  const { metadata, spec } = podsOf('options').get('CronJob husky-copy-backups') ?? {};
  const [container] = spec?.containers ?? [];
  expect(container?.command).toEqual(['node', 'scripts/backup/base-main.ts', 'copy']);
  expect(variable(container, 'COPY_URL')?.value).toBe('s3://husky-backups');
  expect(variable(container, 'AWS_SECRET_ACCESS_KEY')?.valueFrom).toEqual({
    secretKeyRef: { name: 'holdem-backups', key: 'secret-access-key' },
  });
  expect(variable(container, 'DATABASE_ADMIN_URL')).toBe(undefined);
  const [backup] = podsOf('options').get('CronJob husky-backup')?.spec.containers ?? [];
  expect(backup?.env?.filter(({ name }) => name.startsWith('AWS_'))).toEqual([]);
  expect(metadata?.labels?.['app.kubernetes.io/component']).toBe('copy-backups');
  const policy = objectsOf('options').find(
    (object) => object.kind === 'NetworkPolicy' && object.metadata.name === 'husky-copy-backups',
  );
  expect(JSON.stringify(policy)).toContain('{"ports":[{"port":443}]}');
  expect(JSON.stringify(policy)).not.toContain('5432');
});

test('network policies let services reach an external PostgreSQL', () => {
  const policies = read('ci/golden-external.yaml').split(/^---$/m);
  const liveData = policies.find((text) => text.includes('\n  name: husky-live-data\n'));
  expect(liveData).toContain('{"ports":[{"port":5432}]}');
});

interface LoadPod {
  readonly k6: Readonly<Record<string, string | undefined>>;
  readonly mounts: readonly object[];
  readonly volumes: readonly string[];
}

/** Returns what the load Job gets and where it writes. */
function loadPodOf(manifests: string): LoadPod {
  const job = (loadAllYaml(manifests) as Rendered[]).find(
    ({ kind, metadata }) => kind === 'Job' && metadata.name.startsWith('husky-load-'),
  );
  const spec = job?.spec?.template?.spec;
  const k6 = Object.fromEntries((spec?.containers[0]?.env ?? []).map(({ name, value }) => [name, value]));
  return { k6, mounts: spec?.containers[0]?.volumeMounts ?? [], volumes: spec?.volumes?.map(({ name }) => name) ?? [] };
}

test('the load Job keeps its results in its log, and creates accounts', () => {
  const { k6, mounts } = loadPodOf(read('ci/golden-options.yaml'));
  expect(k6).toHaveProperty('ADMIN_PASSWORD');
  expect(k6).not.toHaveProperty('ACCOUNTS');
  expect(k6).toMatchObject({ RESULTS: '/tmp', USERS: '20', PRINT_JUNIT: 'true', K6_WEB_DASHBOARD_PERIOD: '1s' });
  expect(mounts).not.toContainEqual(expect.objectContaining({ mountPath: '/results' }));
});

test.runIf(helm)('the load Job writes to a folder of its own on a claim, and takes accounts from a secret', () => {
  const set =
    'load.enabled=true,load.results.existingClaim=results,load.accountsSecret.name=accounts,load.profile=load';
  const { k6, mounts, volumes } = loadPodOf(template('--set', set, '--show-only', 'templates/load.yaml').output);
  expect(k6).toMatchObject({ ACCOUNTS: '/run/accounts/accounts.json', RESULTS: '/results' });
  expect(k6).not.toHaveProperty('USERS');
  expect(k6).toMatchObject({ K6_WEB_DASHBOARD_EXPORT: '/results/report.html', K6_WEB_DASHBOARD_PERIOD: '10s' });
  const subPath = expect.stringMatching(/^husky-load-[0-9a-f]{8}$/);
  expect(mounts).toContainEqual({ name: 'results', mountPath: '/results', subPath });
  expect(volumes).toEqual(expect.arrayContaining(['results', 'accounts']));
});

test('in production matches give way to services, and an upload passes the Ingress', () => {
  const objects = objectsOf('prod');
  expect(objects).toContainEqual(
    expect.objectContaining({ kind: 'PriorityClass', value: -100, preemptionPolicy: 'Never' }),
  );
  const pods = podsOf('prod');
  expect(pods.get('Deployment husky-runner')?.spec.priorityClassName).toBe('husky-husky-matches');
  expect(pods.get('Deployment husky-gateway')?.spec.priorityClassName).toBeUndefined();
  const ingress = objects.find(({ kind }) => kind === 'Ingress');
  expect(ingress?.metadata).toMatchObject({ annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '3m' } });
});
