import type { Batch__Output } from '@husky/contracts/types/simulation/v1/Batch';
import type { MatchCounts__Output } from '@husky/contracts/types/simulation/v1/MatchCounts';
import { noMatches } from '@husky/match/match-counts';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { csvFile, route } from '../../http/route.ts';
import { countMatches, presentCounts } from '../../match-counts.ts';
import { findBatch } from '../batches/routes.ts';
import { presentStop } from '../llm/present.ts';
import { presentStandings, standingsCsv } from './present-standings.ts';
import { metadataOf } from './standings-models.ts';
import { type StandingsBody, standingsQuery, standingsResponse } from './standings-schema.ts';

/** Reads the standings of a batch, of a tag or of all public matches. Throws NOT_FOUND for a private batch, except for admins. */
async function readStandings(
  { batch, tag }: z.output<typeof standingsQuery>,
  context: Context,
  caller: Caller,
): Promise<StandingsBody> {
  if (batch !== undefined && tag !== undefined) {
    throw new DomainError('INVALID_ARGUMENT', 'two-scopes', 'Name a batch or a tag, not both.');
  }
  const found = batch === undefined ? null : await findBatch(batch, context, caller);
  const request = await requestOf();
  const [standings, counts, metadata] = await Promise.all([
    context.liveData.getStandings(request, { caller }),
    request.of?.batchIds.length === 0 ? countsOf(request.of.jobIds) : countMatches(context, ...batchesOf(request)),
    Promise.all(batchesOf(request).map((batchId) => metadataOf(batchId, context, caller))),
  ]);
  const nameOf = await context.names.of([...standings.players.map(({ userId }) => userId), ...(found?.userIds ?? [])]);
  const scope = { batch_number: batch === undefined ? null : Number(batch), tag: tag ?? null };
  const stop = found?.stop?.stoppedAt ? presentStop(found.stop, nameOf, await readsAll(found, context, caller)) : null;
  const noun = batch === undefined && tag === undefined ? 'played matches' : 'matches';
  return presentStandings(
    standings,
    scope,
    stop,
    nameOf,
    metadata,
    presentCounts(counts, standings.matches, { noun, computing: standings.computing }),
  );

  async function requestOf(): Promise<{ batchId?: string; of?: { jobIds: string[]; batchIds: string[] } }> {
    if (found !== null) return { batchId: found.id };
    if (tag === undefined) return {};
    const { jobIds, batchIds } = await context.leaderboard.listTagMatches({ tag }, { caller });
    return { of: { jobIds, batchIds } };
  }
}

const batchesOf = ({ batchId, of }: { batchId?: string; of?: { batchIds: string[] } }) =>
  batchId === undefined ? (of?.batchIds ?? []) : [batchId];

/** The counts of single matches on a board: they cannot be deleted. */
const countsOf = (jobIds: readonly string[]): MatchCounts__Output => ({
  ...noMatches,
  planned: jobIds.length,
  finished: jobIds.length,
});

/** Returns whether the caller may read all results from which the course of the rule is computed. */
async function readsAll(batch: Batch__Output, context: Context, caller: Caller): Promise<boolean> {
  const { matches } = await context.liveData.getResults({ batchId: batch.id }, { caller });
  return matches >= batch.finished;
}

export const standingsRoutes = [
  route('GET /live/standings', {
    access: 'anyone',
    summary: 'Players of a batch, a tag or all public matches with estimates, intervals, ties, pairs and ratings',
    query: standingsQuery,
    response: standingsResponse,
    storable: true,
    refusals: [400, 404],
    shared: { among: 'visitors' },
    handle: ({ query, context, caller }) => readStandings(query, context, caller),
  }),
  route('GET /live/standings.csv', {
    access: 'anyone',
    summary: 'The same as a table: a line for each player and estimator',
    query: standingsQuery,
    response: 'file',
    contentTypes: ['text/csv'],
    refusals: [400, 404],
    async handle({ query, context, caller }) {
      const body = standingsCsv(await readStandings(query, context, caller));
      return csvFile(`standings${query.batch === undefined ? '' : `-batch-${query.batch}`}.csv`, body);
    },
  }),
];
