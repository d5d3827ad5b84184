// `make trace`: starts a separate platform, plays and publishes a match of six bots, and draws the trace of the match from the click to the
// leaderboard. HANDS: length of the match. OUT: the SVG file. With OTEL_EXPORTER_OTLP_ENDPOINT and RECEIVER_PORT the platform sends the
// traces to a collector, which must forward them to this port; by default it sends them directly to this program. ZIPKIN: origin of a Zipkin
// server, which gets all spans; PICTURE: file of a picture of its page of the trace (WebP).
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newTraceparent } from '../../../web/src/lib/traceparent.ts';
import { exampleBots, signInAdmin, signInPlayer, submitFinal } from '../../demo/accounts.ts';
import { Api } from '../../demo/api.ts';
import { waitUntilFinished } from '../../demo/wait-until-finished.ts';
import { startOwnPlatform } from '../../up/own-platform.ts';
import { drawTrace } from './draw.ts';
import type { ReceivedSpan } from './otlp.ts';
import { startReceiver } from './receiver.ts';
import { captureTrace, sendToZipkin } from './zipkin.ts';

const maxWaitMs = 5 * 60_000;
const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Polls `find` until it returns a value. Throws if the time expires. */
async function waitFor<T>(label: string, find: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const endMs = Date.now() + maxWaitMs; Date.now() < endMs; await pause(250)) {
    const value = await find();
    if (value !== undefined) return value;
  }
  throw new Error(`${label} was not reached within ${maxWaitMs / 60_000} minutes`);
}

/**
 * Plays and publishes a match, as its players and an admin do on the site. Returns the click that starts it as a span: from the request, which
 * has the site's traceparent, to its response. Browsers send no spans, so it is measured here.
 */
async function playMatch(origin: string, dataDir: string, hands: number): Promise<ReceivedSpan> {
  const api = new Api(origin);
  const admin = await signInAdmin(api, dataDir);
  for (const bot of exampleBots) await submitFinal(await signInPlayer(api, `demo-${bot}`, admin, dataDir), bot);
  const settings = { users_list: exampleBots.map((bot) => `demo-${bot}`), num_rounds: hands };
  const traceparent = newTraceparent();
  const [, traceId = '', spanId = ''] = traceparent.split('-');
  const startMs = Date.now();
  const { job_id: jobId } = await admin.post<{ job_id: string }>('/sim/async_run_user', settings, { traceparent });
  const endMs = Date.now();
  await waitUntilFinished(admin, jobId, maxWaitMs);
  await admin.post(`/admin/toggle-job-public/${jobId}`);
  await admin.post(`/admin/process-tournament-2025-job/${jobId}`);
  const context = { traceId, spanId, parentId: '', kind: 3, links: [], resource: {}, attributes: {} };
  return { ...context, service: 'client', name: 'click', startMs, endMs, failed: false };
}

/** Returns the trace that has added a match to the leaderboard. */
function findTrace(spans: readonly ReceivedSpan[]): readonly ReceivedSpan[] | undefined {
  const last = spans.find(({ name }) => name === 'add to leaderboard');
  return last && spans.filter(({ traceId }) => traceId === last.traceId);
}

async function main(): Promise<void> {
  const hands = Number(process.env.HANDS ?? 1000);
  if (!Number.isInteger(hands) || hands < 1)
    throw new Error(`HANDS must be a positive integer, not ${process.env.HANDS}`);
  const receiver = await startReceiver(Number(process.env.RECEIVER_PORT ?? 0));
  const platform = await startOwnPlatform({
    OTEL_EXPORTER_OTLP_ENDPOINT: process.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? receiver.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '500',
  });
  let click: ReceivedSpan;
  try {
    process.env.ADMIN_PASSWORD = platform.admin.password;
    click = await playMatch(platform.origin, platform.dataDir, hands);
    await waitFor('the last span of the trace', () => findTrace(receiver.spans));
    // Every process may have a last batch of spans to send.
    await pause(3000);
  } finally {
    await platform.stop();
    await receiver.stop();
  }
  const all = [click, ...receiver.spans];
  const spans = findTrace(all) ?? [];
  const out = process.env.OUT ?? 'test-results/trace.svg';
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(
    out,
    drawTrace(spans, `One match of ${process.env.HANDS ?? 1000} hands, from the click to the leaderboard`),
  );
  const services = new Set(spans.map(({ service }) => service));
  print(`${spans.length} spans of ${services.size} parts (${[...services].join(', ')}): ${out}`);
  const zipkin = process.env.ZIPKIN;
  if (!zipkin) return;
  await sendToZipkin(zipkin, all);
  const page = `${zipkin}/zipkin/traces/${spans[0]?.traceId}`;
  if (process.env.PICTURE) await captureTrace(page, process.env.PICTURE);
  print(`in Zipkin: ${page}`);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`trace: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
