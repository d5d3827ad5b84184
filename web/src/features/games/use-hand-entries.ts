import { STREETS } from '@husky/match/game-data';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { LiveHand } from '../../broadcast/live-merge.ts';
import { api, type ResponseOf } from '../../lib/api.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { GameRow } from '../../lib/types.ts';
import type { PlayerSeries } from '../../performance/series.ts';
import { type HandEntry, netsOf } from './hand-query.ts';

type Columns = ResponseOf<'get', '/live/job/{id}/hands/columns'>;
export type HandSummary = ResponseOf<'get', '/live/job/{id}/hands'>['hands'][number];

const PAGE_SIZE = 100;
const forever = Number.POSITIVE_INFINITY;

/** Adds facts to the hands of a match: from the stored index, or while it runs from the stream. */
export function useHandEntries(
  jobId: string,
  hands: readonly (GameRow | LiveHand)[],
  series: readonly PlayerSeries[],
  running: boolean,
): readonly HandEntry[] {
  const columns = useQuery({
    // The number of hands belongs to the key: a match that goes on has another index.
    queryKey: [...queryKeys.job(jobId), 'hand-columns', hands.length],
    queryFn: ({ signal }) => api.get('/live/job/{id}/hands/columns', { params: { id: jobId }, signal }),
    enabled: !running,
    staleTime: forever,
  });
  return useMemo(() => {
    const nets = series.map(({ name }) => ({ name, net: netsOf(series, name) }));
    return hands.map((hand) => entryOf(hand, running ? undefined : columns.data, nets));
  }, [hands, columns.data, series, running]);
}

type Nets = readonly { name: string; net: ((number: number) => number) | undefined }[];

function entryOf(hand: GameRow | LiveHand, columns: Columns | undefined, nets: Nets): HandEntry {
  const number = Number(hand.game_uuid);
  const entry = { gameId: hand.game_id, number };
  if ('pot' in hand) {
    const { pot, showdown, allIn } = hand;
    const winners = nets.flatMap(({ name, net }) => ((net?.(number) ?? 0) > 0 ? [name] : []));
    return { ...entry, facts: { pot, showdown, allIn, street: null, winners, faults: [] } };
  }
  const index = number - 1;
  const [pot, flags] = [columns?.pots[index], columns?.flags[index]];
  if (columns === undefined || pot === undefined || flags === undefined) return { ...entry, facts: null };
  const named = (mask: number | undefined) => columns.players.filter((_, seat) => ((mask ?? 0) & (1 << seat)) !== 0);
  return {
    ...entry,
    facts: {
      pot,
      street: STREETS[flags & 3] ?? null,
      showdown: (flags & 4) !== 0,
      allIn: (flags & 8) !== 0,
      winners: named(columns.winners[index]),
      faults: named(columns.faults[index]),
    },
  };
}

/** Loads board and winning hand of the given hands, a hundred numbers at a time. Hands that are not loaded yet are absent. */
export function useHandSummaries(
  jobId: string,
  numbers: readonly number[],
  enabled: boolean,
): ReadonlyMap<number, HandSummary> {
  const pages = enabled ? [...new Set(numbers.map((number) => Math.ceil(number / PAGE_SIZE)))] : [];
  const loaded = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...queryKeys.job(jobId), 'hand-page', page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.get('/live/job/{id}/hands', { params: { id: jobId }, query: { page, size: PAGE_SIZE }, signal }),
      staleTime: forever,
    })),
  });
  return new Map(loaded.flatMap(({ data }) => data?.hands.map((hand) => [hand.hand_number, hand] as const) ?? []));
}
