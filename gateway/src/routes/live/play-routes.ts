import type { PlayerStatistics__Output } from '@husky/contracts/types/live/v1/PlayerStatistics';
import type { Batch__Output } from '@husky/contracts/types/simulation/v1/Batch';
import { csvLine } from '@husky/match/csv';
import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';
import { isAdmin } from '@husky/runtime/rpc/access';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { csvFile, route } from '../../http/route.ts';
import { countMatches, presentCounts, readDeletionsNote } from '../../match-counts.ts';
import { findBatch } from '../batches/routes.ts';
import { playParams, playQuery, playResponse } from './play-schema.ts';

type PlayStatistics = z.infer<typeof playResponse>;

/** Statistics of how a bot plays. */
export const playRoutes = [
  route('GET /live/players/{username}/statistics', {
    access: 'anyone',
    summary:
      "How a player's bot plays: VPIP, three-bet, aggression, showdowns, by position and street; over public matches, the player's own call and those of admins over all",
    params: playParams,
    query: playQuery,
    response: playResponse,
    refusals: [400, 404],
    shared: { among: 'visitors' },
    handle: ({ params, query, context, caller }) => readStatistics(params.username, query, context, caller),
  }),
  route('GET /live/players/{username}/statistics.csv', {
    access: 'anyone',
    summary: 'The same as a CSV file, a row for each figure',
    params: playParams,
    query: playQuery,
    response: 'file',
    contentTypes: ['text/csv'],
    refusals: [400, 404],
    async handle({ params, query, context, caller }) {
      const statistics = await readStatistics(params.username, query, context, caller);
      return csvFile('statistics.csv', csvOf(statistics));
    },
  }),
];

async function readStatistics(
  username: string,
  { batch: number, versus }: z.infer<typeof playQuery>,
  context: Context,
  caller: Caller,
): Promise<PlayStatistics> {
  const playerIds = [await context.names.idOf(username)];
  if (versus !== '') playerIds.push(await context.names.idOf(versus));
  if (playerIds[0] === playerIds[1]) {
    throw new DomainError('INVALID_ARGUMENT', 'same-player', 'Choose another player to compare with.');
  }
  const batch = number === '' ? null : await findBatch(number, context, caller);
  const own = caller.kind === 'user' && caller.id === playerIds[0];
  const publicOnly = !(own || isAdmin(caller));
  const [found, nameOf, note] = await Promise.all([
    context.liveData.getPlayStatistics({ playerIds, batchId: batch?.id ?? '', publicOnly }, { caller }),
    context.names.of(playerIds),
    batch === null ? readDeletionsNote(context) : noteOfBatch(batch, context),
  ]);
  const [name = username, other = null] = playerIds.map(nameOf);
  return {
    username: name,
    versus: other,
    batch_number: batch?.batchNumber ?? null,
    includes_private: !publicOnly,
    matches: found.matches,
    pending_matches: found.pending,
    deletions_note: note,
    players: found.players.map((player) => ({ username: nameOf(player.userId), ...presentPlayer(player) })),
  };
}

async function noteOfBatch({ id, deleted, finished }: Batch__Output, context: Context): Promise<string | null> {
  if (deleted === 0) return null;
  return presentCounts(await countMatches(context, id), finished, { withNoContest: true }).note;
}

function presentPlayer({ hands, figures, times, luck }: PlayerStatistics__Output) {
  return {
    hands,
    figures: figures.map(({ statistic, position, street, count, of }) => ({
      statistic,
      position: (position || null) as PlayStatistics['players'][number]['figures'][number]['position'],
      street: (street || null) as PlayStatistics['players'][number]['figures'][number]['street'],
      value: of === 0 ? null : count / of,
      count,
      of,
    })),
    decision_times: times && {
      decisions: times.count,
      p50_ms: times.p50Ms,
      p95_ms: times.p95Ms,
      max_ms: times.maxMs,
      buckets: times.counts.map((decisions, place) => ({ up_to_ms: DECISION_BOUNDS_MS[place] ?? null, decisions })),
    },
    luck: {
      points: luck?.points ?? [0],
      raw: luck?.raw ?? [0],
      adjusted: luck?.adjusted ?? [0],
      pending_matches: luck?.pending ?? 0,
    },
  };
}

function csvOf({ players, deletions_note: note }: PlayStatistics): string {
  const header = csvLine(['username', 'statistic', 'position', 'street', 'value', 'count', 'of']);
  const rows = players.flatMap(({ username, figures }) =>
    figures.map(({ statistic, position, street, value, count, of }) =>
      csvLine([username, statistic, position ?? 'all', street ?? 'all', value, count, of]),
    ),
  );
  // A row of its own, so that a table of figures is not taken for one of all matches.
  const deleted = note === null ? [] : [csvLine(['', note, '', '', null, null, null])];
  return [header, ...rows, ...deleted].join('');
}
