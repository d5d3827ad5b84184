import { expect, test } from 'vitest';
import { newTraceparent } from './traceparent.ts';

test('returns a new sampled W3C trace context for each call', () => {
  const contexts = Array.from({ length: 50 }, newTraceparent);
  for (const context of contexts) expect(context).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(new Set(contexts).size).toBe(contexts.length);
});
