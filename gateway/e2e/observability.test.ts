// Plays a match on a whole platform. Checks its traces at an OTLP receiver, and its metrics as Prometheus scrapes them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ReceivedSpan } from '../../scripts/proof/traces/otlp.ts';
import { type Receiver, startReceiver } from '../../scripts/proof/traces/receiver.ts';
import { dashboardQueries, metricsOf, ruleQueries, unknownLabels } from '../../scripts/proof/traces/rules.ts';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../../scripts/up/own-platform.ts';
import * as client from './client.ts';

const bots = ['random-legal', 'calling-station', 'tight-aggressive', 'position-aware', 'pressure', 'exits-os'];
/** Metrics of Prometheus itself and of kube-state-metrics. */
const foreign = /^(up|kube(let)?_.*)$/;
const click = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

let receiver: Receiver;
let own: OwnPlatform;
let jobId: string;

beforeAll(async () => {
  receiver = await startReceiver();
  own = await startOwnPlatform({
    ...withoutLimits,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  client.usePlatform({ origin: own.origin, dataDir: own.dataDir, adminPassword: own.admin.password });
  const users = await client.registerNamed(bots);
  const token = await client.adminToken();
  const headers = { traceparent: `00-${click.traceId}-${click.spanId}-01` };
  const json = { users_list: users, num_rounds: 150 };
  ({ job_id: jobId } = client.expectStatus(
    await client.call('POST', '/sim/async_run_user', { json, token, headers }),
    200,
  ));
  // The objectives (docs/slo.md) use metrics of watchers and test runs, so the platform needs one of each.
  await vi.waitFor(
    async () =>
      client.expectStatus(
        await client.call('POST', `/admin/toggle-job-public/${jobId}`, { token, json: { is_public: true } }),
        200,
      ),
    { timeout: 30_000, interval: 200 },
  );
  const watching = fetch(`${own.origin}/live/job/${jobId}/events`, { signal: AbortSignal.timeout(120_000) });
  await client.ended(jobId, token);
  await (await watching).text();
  const tester = await client.registerVerified(client.uniqueName('tester'));
  const run = {
    form: client.uploadForm(client.testRunFields, client.botFiles('calling-station').player),
    token: tester.token,
  };
  const { job_id: testRun } = client.expectStatus(await client.call('POST', '/sim/async_run', run), 200);
  await client.ended(testRun, tester.token);
  client.expectStatus(await client.call('POST', `/admin/process-tournament-2025-job/${jobId}`, { token }), 200);
});

afterAll(async () => {
  await own?.stop();
  await receiver?.stop();
});

const inTrace = () => receiver.spans.filter((span) => span.traceId === click.traceId);

function spanOf(service: string, name: string): ReceivedSpan {
  const span = inTrace().find((one) => one.service === service && one.name === name);
  return span ?? expect.fail(`no span ${name} of ${service}: ${inTrace().map((one) => `${one.service} ${one.name}`)}`);
}

test('one trace leads from the click through queue, runner, stored hands and event to the leaderboard', async () => {
  await vi.waitFor(() => spanOf('leaderboard', 'add to leaderboard'), { timeout: 20_000 });
  await vi.waitFor(() => spanOf('live-data', 'consume husky.simulation.job_ended'), { timeout: 20_000 });
  const byId = new Map(inTrace().map((span) => [span.spanId, span]));
  const path: [string, string][] = [
    ['gateway', 'POST /sim/async_run_user'],
    ['simulation', 'simulation/CreateMatch'],
    ['simulation', 'queue'],
    ['simulation', 'claim'],
    ['runner', 'play match'],
    ['runner', 'fetch bots'],
    ['submission', 'submission/FetchBot'],
    ['runner', 'start seats'],
    ['runner', 'load bot'],
    ['runner', 'play hands'],
    ['runner', 'deliver hands'],
    ['runner', 'bot'],
    ['live-data', 'live-data/DeliverChunk'],
    ['live-data', 'live-data/CompleteMatch'],
    ['live-data', 'store match'],
    ['simulation', 'simulation/AcceptResult'],
    ['simulation', 'publish husky.simulation.job_ended'],
  ];
  for (const [service, name] of path) {
    let span: ReceivedSpan | undefined = spanOf(service, name);
    // Every span descends from the click.
    while (span !== undefined && span.parentId !== click.spanId) span = byId.get(span.parentId);
    expect(span, `${service} ${name}`).toBeDefined();
  }
  const played = spanOf('runner', 'play match').attributes;
  expect(played).toMatchObject({ 'husky.job.id': jobId, 'husky.attempt': 1, 'husky.outcome': 'accepted' });
  const facts = { 'husky.job.id': jobId, 'husky.attempt': 1, 'husky.runner': played['husky.runner'] };
  expect(spanOf('simulation', 'claim').attributes).toMatchObject(facts);
  expect(spanOf('live-data', 'live-data/DeliverChunk').attributes).toMatchObject(facts);
  expect(inTrace().filter((span) => span.name === 'bot').length).toBe(bots.length);
  // The admin's request to publish is a trace of its own, linked with that of the match.
  const applied = receiver.spans.find((span) => span.name === 'leaderboard/ApplyJob' && span.links.length > 0);
  expect(applied?.links).toEqual([click.traceId]);
  expect(spanOf('leaderboard', 'add to leaderboard').links).toEqual([applied?.traceId]);
});

test('heartbeats, claims without a job, polls and probes are not traced', async () => {
  client.expectStatus(await client.call('GET', '/healthz'), 200);
  client.expectStatus(await client.call('GET', '/readyz'), 200);
  const names = new Set(receiver.spans.map((span) => span.name));
  expect(names).toContain('POST /sim/async_run_user');
  for (const rpc of [
    'simulation/Heartbeat',
    'simulation/ClaimMatch',
    'simulation/ListRunners',
    'simulation/GetBacklog',
  ]) {
    expect(names).not.toContain(rpc);
  }
  expect([...names].filter((name) => /healthz|readyz|metrics/.test(name))).toEqual([]);
});

interface Target {
  readonly targets: readonly string[];
  readonly labels: { readonly service: string };
}

async function scrape(): Promise<Map<string, string>> {
  const file = join(own.dataDir, 'monitoring/targets.json');
  const targets = JSON.parse(readFileSync(file, 'utf8')) as Target[];
  const texts = targets.map(async ({ targets: [address = ''], labels }) => {
    const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(10_000) });
    return [labels.service, await response.text()] as const;
  });
  return new Map(await Promise.all(texts));
}

/** Returns the names of the labels of each exported metric. */
function exportedLabels(texts: Iterable<string>): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>();
  for (const [, name = '', list = ''] of [...texts].join('\n').matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? /gm)) {
    const known = labels.get(name) ?? new Set();
    for (const [, label = ''] of list.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) known.add(label);
    labels.set(name, known);
  }
  return labels;
}

test('every metric of the dashboards and alerts is exported by the platform, with the labels that they use', async () => {
  const queries = [...dashboardQueries(), ...ruleQueries('golden-prod.yaml'), ...ruleQueries('golden-options.yaml')];
  expect(queries.length).toBeGreaterThan(20);
  const recorded = new Set(queries.map(({ where }) => where));
  await vi.waitFor(
    async () => {
      const labels = exportedLabels((await scrape()).values());
      const missing = queries.flatMap(({ where, query }) => {
        const metrics = metricsOf(query).filter((name) => !foreign.test(name) && !recorded.has(name));
        const unknown = unknownLabels(query, (name) => (foreign.test(name) ? undefined : labels.get(name)));
        return [...metrics.filter((name) => !labels.has(name)), ...unknown].map((name) => `${where}: ${name}`);
      });
      // This platform has no mutual TLS.
      expect(missing.filter((one) => one !== 'HuskyCertificateEnds: tls_certificate_left')).toEqual([]);
    },
    { timeout: 30_000, interval: 1000 },
  );
});

test('each service exports its calls, process and resource attributes', async () => {
  client.expectStatus(await client.call('GET', '/docker/pool/status', { token: await client.adminToken() }), 200);
  const texts = await scrape();
  expect([...texts.keys()].sort()).toEqual(
    ['auth', 'gateway', 'leaderboard', 'live-data', 'pool', 'simulation', 'submission'].map((name) => `husky-${name}`),
  );
  for (const [service, text] of texts) {
    expect(text, service).toMatch(
      service === 'husky-gateway' ? /^http_server_duration_count\{/m : /^rpc_server_duration_count\{/m,
    );
    expect(text, service).toMatch(/^nodejs_eventloop_delay_p99/m);
    const info = /^target_info\{(.*)\} 1/m.exec(text)?.[1];
    for (const attribute of ['service_namespace="husky-holdem"', 'service_version="', 'service_instance_id="']) {
      expect(info, service).toContain(attribute);
    }
    expect(info, service).toContain('deployment_environment_name="test"');
  }
  const simulation = texts.get('husky-simulation') ?? '';
  expect(simulation).toMatch(/^husky_queue_age\{class="match"[^}]*\} 0/m);
  expect(texts.get('husky-live-data')).toMatch(/^messaging_consumer_lag\{consumer="live_data_job_ended"[^}]*\} 0/m);
  expect(texts.get('husky-live-data')).toMatch(/^husky_bot_decision_duration_count\{class="match"[^}]*\} [1-9]/m);
});
