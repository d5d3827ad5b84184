import { describe, expect, it, test } from 'vitest';
import { isRevealing } from '../../lib/tournament.ts';
import type { Tournament, TournamentSummary } from '../../lib/types.ts';
import { nextSlot } from './channel.ts';
import { ceremonyOf, revealedPlaces } from './reveal.ts';

describe('reveal', () => {
  const hour = 3_600_000;
  const ended = (slug: string, hoursAgo: number, more: Partial<TournamentSummary> = {}) =>
    ({
      slug,
      state: 'finished',
      ceremony: true,
      ended_at: new Date(-hoursAgo * hour).toISOString(),
      ...more,
    }) as TournamentSummary;

  test('the ceremony is that of the tournament that ended last, within a day', () => {
    const list = [
      ended('old', 5),
      ended('new', 2),
      ended('open', 1, { state: 'running' }),
      ended('plain', 1, { ceremony: false }),
    ];
    expect(ceremonyOf(list, 0)?.slug).toBe('new');
    expect(ceremonyOf([ended('gone', 25)], 0)).toBeUndefined();
  });

  test('the screen shows the newest and best places, with the size of their results', () => {
    const standings = Array.from({ length: 10 }, (_, at) => ({
      rank: at + 3,
      username: `p${at}`,
      delta: 100 - 50 * at,
    }));
    const places = revealedPlaces(standings as unknown as Tournament['stages'][number]['standings']);
    expect(places.map(({ rank }) => rank)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect([places[0]?.share, places[7]?.share]).toEqual([0.4, 1]);
    expect(revealedPlaces([])).toEqual([]);
  });

  test('places are revealed while the last stage of a finished tournament is hidden', () => {
    const of = (state: string, hidden: boolean) => ({ state, stages: [{}, { hidden }] }) as Tournament;
    expect([
      isRevealing(of('finished', true)),
      isRevealing(of('finished', false)),
      isRevealing(of('running', true)),
    ]).toEqual([true, false, false]);
    expect(isRevealing(null)).toBe(false);
  });
});

describe('tv', () => {
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
});
