import { expect, test } from 'vitest';
import { summarizeRequests } from './probe.ts';

const ok = (start: number) => ({ start, end: start + 5, failed: false });
const failed = (start: number, end: number) => ({ start, end, failed: true });

test('counts no failure if all requests succeed', () => {
  expect(summarizeRequests([ok(0), ok(200)])).toEqual({ requests: 2, failed: 0, outageMs: 0 });
});

test('measures the outage from the start of the first failed request to the end of the last one', () => {
  const requests = [ok(0), failed(200, 2200), failed(400, 410), ok(600), failed(800, 900), ok(1000)];
  expect(summarizeRequests(requests)).toEqual({ requests: 6, failed: 3, outageMs: 2000 });
});
