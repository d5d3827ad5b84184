import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeCounts, parseSample } from './k6-load.ts';

const runChaos = (variables: Record<string, string>) => {
  const env = { PATH: '/nowhere', XDG_CACHE_HOME: '/nowhere', ...variables };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], { env });
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
};

test('refuses to start with one sentence if K6=1 and neither k6 nor Go is installed', () => {
  expect(runChaos({ K6: '1' })).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'k6 is not on PATH nor in /nowhere/husky-holdem/bin: install Go, which builds it, or k6 from grafana.com/docs/k6\n',
  });
}, 60_000);

test('counts requests, failures and refusals of k6 and ignores its other metrics', () => {
  const point = (metric: string) =>
    parseSample(
      `{"metric":"${metric}","type":"Point","data":{"time":"2026-11-25T16:00:00.5Z","value":1,"tags":{"name":"GET /"}}}`,
    );
  const atMs = Date.UTC(2026, 10, 25, 16, 0, 0, 500);
  expect(['http_reqs', 'failures', 'refusals', 'http_req_duration'].map(point)).toEqual([
    { counter: 'requests', atMs },
    { counter: 'failed', atMs },
    { counter: 'refused', atMs },
    undefined,
  ]);
  const definition = '{"type":"Metric","data":{"name":"http_reqs","type":"counter"},"metric":"http_reqs"}';
  expect(parseSample(definition)).toBeUndefined();
  expect(parseSample('running (1m00s)')).toBeUndefined();
  expect(describeCounts({ requests: 9, failed: 2, refused: 1 })).toBe('k6: 2 of 9 requests failed, 1 refused');
});
