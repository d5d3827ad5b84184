import { describe, expect, it } from 'vitest';
import { jobPath, jobTitle } from '../../lib/matches.ts';
import type { JobPage, PublicJob } from '../../lib/types.ts';
import { withVisibility } from './admin-job-card.tsx';
import { filterQuery, filtersOf } from './games-page.tsx';
import { handOfHash, nextHandOrder, orderLabel } from './hand-list.tsx';
import { DATE_ORDER_LABELS, joinPages, nextDateOrder, orderQuery, recentJobs } from './job-lists.ts';
import { jobPageTitle } from './job-page.tsx';

describe('games page', () => {
  describe('the filters of the list of matches', () => {
    it('are read from the address; unknown values filter nothing', () => {
      expect(filtersOf(new URLSearchParams('q=ab&player=ann&batch=7&status=Running&order=oldest'))).toEqual({
        q: 'ab',
        player: 'ann',
        batch: '7',
        status: 'Running',
      });
      expect(filtersOf(new URLSearchParams('status=toString'))).toEqual({ q: '', player: '', batch: '', status: '' });
    });

    it('become the query of the list without empty values', () => {
      expect(filterQuery({ q: ' ann ', player: '', batch: '', status: '' })).toEqual({ q: 'ann' });
      expect(filterQuery({ q: '', player: 'x'.repeat(70), batch: ' 12 ', status: 'Finished' })).toEqual({
        player: 'x'.repeat(64),
        batch: 12,
        status: 'Finished',
      });
    });

    it('find nothing for a batch that is not a number', () => {
      for (const batch of ['seven', '-1', '1.5', '9999999999']) {
        expect(filterQuery({ q: '', player: '', batch, status: '' }).batch).toBe(0);
      }
    });
  });
});

describe('games', () => {
  const job = (id: string, at: string | null, parts: Partial<PublicJob> = {}): PublicJob => ({
    job_id: id,
    batch_id: null,
    players: ['a', 'b'],
    first_game_created_at: at,
    is_public: true,
    batch_number: null,
    game_number: 1,
    batch_is_public: false,
    hands: 1_000,
    stacks: 'carry',
    winner: 'a',
    winner_delta: 120,
    end_reason: null,
    ended_at: at,
    status: 'Finished',
    ...parts,
  });
  const page = (jobs: PublicJob[], number = 1): JobPage => ({
    jobs,
    total_count: 9,
    total_games: 9_000,
    total_players: 6,
    recent_count: 1,
    has_next: true,
    has_previous: false,
    page: number,
  });
  const ids = (jobs: readonly PublicJob[]) => jobs.map(({ job_id }) => job_id).join('');

  describe('the list of games', () => {
    const jobs = [
      job('b', '2026-01-02T00:00:00Z'),
      job('x', null),
      job('a', '2026-01-01T00:00:00'),
      job('c', '2026-01-03T00:00:00+00:00'),
    ];

    it('cycles through newest, oldest and unsorted with their labels and query parameters', () => {
      const cycle = ['newest', nextDateOrder('newest'), nextDateOrder('oldest'), nextDateOrder('none')] as const;
      expect(cycle.map((order) => orderQuery(order).order)).toEqual(['newest', 'oldest', undefined, 'newest']);
      expect(cycle.map((order) => DATE_ORDER_LABELS[order])).toEqual([
        'NEWEST FIRST',
        'OLDEST FIRST',
        'SORT BY DATE',
        'NEWEST FIRST',
      ]);
    });

    it('removes the duplicate of a job that moved to a later page', () => {
      expect(
        ids(joinPages([page([jobs[0], jobs[1]] as PublicJob[]), page([jobs[1], jobs[2]] as PublicJob[], 2)])),
      ).toBe('bxa');
    });

    it('counts the last 24 hours, with times without a zone in UTC', () => {
      const now = Date.parse('2026-01-03T12:00:00Z');
      expect(recentJobs([job('1', '2026-01-02T12:00:01'), job('2', '2026-01-02T11:59:59Z'), job('3', null)], now)).toBe(
        1,
      );
    });

    it('titles jobs by their batch and game numbers', () => {
      expect(jobTitle(job('a', null, { batch_number: 3, game_number: 17 }))).toBe('Batch #3 Game #17');
      expect(jobTitle(job('a', null, { game_number: 17 }))).toBe('Game #17');
      expect(jobPath(job('a/b', null, { game_number: 17 }))).toBe('/games/a%2Fb?gameNumber=17');
    });

    it('changes the visibility of one job only', () => {
      const data = { pages: [page([job('a', null)]), page([job('b', null)], 2)], pageParams: [1, 2] };
      const changed = withVisibility(data, { job_id: 'b', is_public: false });
      expect(changed?.pages.map(({ jobs: [first] }) => first?.is_public)).toEqual([true, false]);
      expect(withVisibility(undefined, { job_id: 'b', is_public: false })).toBeUndefined();
    });
  });

  describe('the page of a match', () => {
    it('has the game number of the URL in its title', () => {
      expect(jobPageTitle('j1', '7')).toBe('Live Gameplay for Game #7: j1');
      expect(jobPageTitle('j1', null)).toBe('Game: j1');
      expect(jobPageTitle('j1', '<b>')).toBe('Game: j1');
    });

    it('cycles through the orders by number', () => {
      const orders = ['none', 'ascending', 'descending', 'pot'] as const;
      expect(orders.map(nextHandOrder)).toEqual(['ascending', 'descending', 'none', 'ascending']);
      expect(orders.map(orderLabel)).toEqual(['SORT BY UUID', 'UUID ASC', 'UUID DESC', 'SORT BY UUID']);
    });

    it('parses the hand number from the hash', () => {
      expect(['#game-17', '#game-', '#other', ''].map(handOfHash)).toEqual([17, null, null, null]);
    });
  });
});
