import { expect, test } from 'vitest';
import { createWatchers } from '../src/watchers.ts';

test('counts the streams of a match on all gateways', () => {
  let now = 0;
  const here = createWatchers('here', () => now);
  const there = createWatchers('there', () => now);
  const leave = here.join('match');
  there.join('match');
  there.join('match');
  there.join('other');
  here.receive(there.report());
  here.receive(here.report());
  expect([here.count('match'), here.count('other'), here.count('unknown')]).toEqual([3, 1, 0]);
  leave();
  leave();
  expect(here.count('match')).toBe(2);
  now = 6001;
  expect(here.count('match'), 'a gateway that has stopped reporting').toBe(0);
});

test.each(['', 'null', '{}', '{"from":1,"counts":{}}', '{"from":"x","counts":null}'])(
  'ignores the report %j',
  (text) => {
    const watchers = createWatchers('here');
    watchers.receive(Buffer.from(text));
    expect(watchers.count('match')).toBe(0);
  },
);
