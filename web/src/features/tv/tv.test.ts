import { expect, it } from 'vitest';
import { nextSlot } from './channel.ts';

const match = (job_id: string, watchers = 0) => ({ job_id, watchers, batch_number: null, game_number: 1 });

it('goes round running matches, the most watched first, then recent ones, then the best of the week', () => {
  const lists = {
    running: [match('a', 1), match('b', 5)],
    finished: [match('old'), match('a')],
    best: [match('best')],
  };
  const shown = new Map<string, number>();
  const turns = Array.from({ length: 8 }, () => {
    const id = nextSlot(lists, shown)?.job_id ?? '';
    shown.set(id, (shown.get(id) ?? 0) + 1);
    return id;
  });
  expect(turns).toEqual(['b', 'a', 'old', 'best', 'b', 'a', 'old', 'best']);
  expect(nextSlot({ ...lists, running: [match('new'), ...lists.running] }, shown)?.job_id).toBe('new');
  expect(nextSlot({ running: [], finished: [], best: [] }, shown)).toBeNull();
});
