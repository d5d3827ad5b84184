import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { context, metrics, propagation, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { afterEach, expect, test } from 'vitest';
import { createLogger } from '../src/process/logger.ts';
import { createSampler, type Sampling, startTelemetry, type Telemetry } from '../src/telemetry/telemetry.ts';
import {
  contextOf,
  currentTraceparent,
  inSpan,
  recordSpan,
  startSpan,
  untraced,
} from '../src/telemetry/trace-context.ts';

let telemetry: Telemetry | undefined;

afterEach(async () => {
  await telemetry?.shutdown();
  for (const api of [trace, metrics, context, propagation]) api.disable();
});

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('a receiver that never responds fills a bounded queue, further spans are dropped and counted, and shutdown is not delayed', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  telemetry = await startTelemetry('test', {
    otlpEndpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  });
  for (let index = 0; index < 10_000; index++) startSpan('work').end();
  const text = await telemetry.metricsText();
  const value = (name: string) => Number(new RegExp(`^${name}\\{[^}]*\\} (\\d+)`, 'm').exec(text)?.[1]);
  expect(value('otel_sdk_processor_span_queue_size')).toBeLessThanOrEqual(2048);
  expect(value('otel_sdk_processor_span_queue_capacity')).toBe(2048);
  const dropped = Number(/^otel_sdk_processor_span_processed_total\{.*queue_full.*\} (\d+)/m.exec(text)?.[1]);
  expect(dropped).toBeGreaterThanOrEqual(10_000 - 2048 - 512);
  await telemetry.shutdown();
  telemetry = undefined;
  silent.close();
});

test('a span continues a stored trace, and its own context can be stored in turn', async () => {
  telemetry = await startTelemetry('test');
  const stored = await inSpan('outer', { parent: contextOf(traceparent) }, async () => currentTraceparent());
  expect(stored).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/);
  const ended = recordSpan('queue', { parent: contextOf(stored), startTime: 5 }, 3);
  expect(ended.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c');
});

test('a malformed or missing trace context starts a trace', async () => {
  telemetry = await startTelemetry('test');
  for (const bad of [
    '',
    'no context',
    `${traceparent}0`,
    traceparent.replace('0af76519', '0AF7651X'),
    `ff${traceparent}`,
  ]) {
    const stored = await inSpan('outer', { parent: contextOf(bad) }, async () => currentTraceparent());
    expect(stored, bad).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(stored, bad).not.toContain('0af7651916cd43dd8448eb211c80319c');
  }
});

test('untraced work has trace ids for its logs, but neither this process nor the services that it calls record spans', async () => {
  telemetry = await startTelemetry('test');
  await inSpan('outer', {}, async (outer) => {
    const inner = untraced(() => currentTraceparent());
    expect(inner).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(inner).not.toContain(outer.spanContext().traceId);
    expect(untraced(() => startSpan('poll').isRecording())).toBe(false);
  });
});

test('log lines carry the ids of trace and span', async () => {
  telemetry = await startTelemetry('test');
  const log = createLogger('test');
  const mixin = Object.getOwnPropertySymbols(log).find((symbol) => symbol.description === 'pino.mixin');
  const fields = () => (Reflect.get(log, mixin ?? '') as () => Record<string, string>)();
  const active = await inSpan('work', {}, async (span) => ({ ...span.spanContext(), fields: fields() }));
  expect(active.fields).toEqual({ traceId: active.traceId, spanId: active.spanId });
  expect(fields()).toEqual({});
});

test('callers at the edge can prevent the recording of a trace, but cannot force it', () => {
  const decide = (sampling: Sampling, edge: boolean, flags: TraceFlags) => {
    const [, traceId = '', spanId = ''] = traceparent.split('-');
    const parent = trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true });
    const sampler = createSampler(sampling, edge);
    return sampler.shouldSample(parent, traceId, 'GET /', SpanKind.SERVER, {}, []).decision;
  };
  const none: Sampling = { sampler: 'parentbased_traceidratio', ratio: 0 };
  const all: Sampling = { sampler: 'parentbased_traceidratio', ratio: 1 };
  const { NOT_RECORD, RECORD_AND_SAMPLED } = SamplingDecision;
  expect(decide(none, true, TraceFlags.SAMPLED)).toBe(NOT_RECORD);
  expect(decide(all, true, TraceFlags.SAMPLED)).toBe(RECORD_AND_SAMPLED);
  expect(decide(all, true, TraceFlags.NONE)).toBe(NOT_RECORD);
  // A service follows the gateway.
  expect(decide(none, false, TraceFlags.SAMPLED)).toBe(RECORD_AND_SAMPLED);
  expect(decide({ sampler: 'always_off', ratio: 1 }, false, TraceFlags.SAMPLED)).toBe(NOT_RECORD);
});

test('exports the heap in use after the last full garbage collection, without later garbage', async () => {
  const running = await startTelemetry('test');
  telemetry = running;
  const heapMib = async (metric: string) => {
    const text = await running.metricsText();
    return Number(new RegExp(`^v8js_memory_heap_${metric}\\{[^}]*\\} (\\d+)`, 'm').exec(text)?.[1]) / 2 ** 20;
  };
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // 32 MiB of the heap: an array of pointers or small integers.
  let arrays = [new Array<number>(4 * 2 ** 20).fill(1)];
  collect();
  await expect.poll(() => heapMib('used_after_last_gc')).toBeGreaterThan(32);
  const full = await heapMib('used_after_last_gc');
  arrays = [];
  collect();
  await expect.poll(() => heapMib('used_after_last_gc')).toBeLessThan(full - 24);
  arrays.push(new Array<number>(4 * 2 ** 20).fill(1));
  expect(await heapMib('used')).toBeGreaterThan((await heapMib('used_after_last_gc')) + 24);
});

test('a series of a gauge that is no longer observed ends, others and counters stay', async () => {
  telemetry = await startTelemetry('test');
  const meter = metrics.getMeter('test');
  meter.createCounter('calls').add(2);
  let databases = ['first', 'second'];
  meter.createObservableGauge('size').addCallback((result) => {
    for (const name of databases) result.observe(databases.length, { name });
  });
  const series = async () =>
    (await telemetry?.metricsText())?.split('\n').flatMap((line) => {
      const [, name, value] = /^(?:size\{.*?name="(\w+)"|(?:calls_total)\{).* (\d+)$/.exec(line) ?? [];
      return value === undefined ? [] : [`${name ?? 'calls'} ${value}`];
    });
  expect(await series()).toEqual(['calls 2', 'first 2', 'second 2']);
  databases = ['second'];
  expect(await series()).toEqual(['calls 2', 'second 1']);
  databases = [];
  expect(await series()).toEqual(['calls 2']);
  databases = ['first'];
  expect(await series()).toEqual(['calls 2', 'first 1']);
});
