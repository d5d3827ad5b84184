import { expect, test } from 'vitest';
import { newTraceparent } from './traceparent.ts';

test('makes a sampled trace context of the W3C format, another one for each call', () => {
  const contexts = Array.from({ length: 50 }, newTraceparent);
  for (const context of contexts) expect(context).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(new Set(contexts).size).toBe(contexts.length);
});
