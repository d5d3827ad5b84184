import { expect, it } from 'vitest';
import type { MatchNow } from '../../lib/types.ts';
import { chooseMatch } from './tv-page.tsx';

const match = (job_id: string, watchers: number) => ({ job_id, watchers }) as MatchNow;
const [a, b, old] = [match('a', 1), match('b', 5), match('old', 0)];

it('chooses the most watched match in play, the newest of equals', () => {
  expect(chooseMatch({ running: [a, b], finished: [old] }, null)).toEqual({ match: b, live: true });
  expect(chooseMatch({ running: [a, { ...b, watchers: 1 }], finished: [] }, null)?.match).toBe(a);
});

it('continues with another match than the one that has ended', () => {
  expect(chooseMatch({ running: [a, b], finished: [old] }, 'b')).toEqual({ match: a, live: true });
  expect(chooseMatch({ running: [b], finished: [old] }, 'b')).toEqual({ match: old, live: false });
});

it('replays the newest finished match if none is in play', () => {
  expect(chooseMatch({ running: [], finished: [old] }, null)).toEqual({ match: old, live: false });
  expect(chooseMatch({ running: [], finished: [] }, null)).toBeNull();
});
