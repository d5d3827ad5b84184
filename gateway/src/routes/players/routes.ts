import { DomainError } from '@husky/runtime/rpc/errors';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { route } from '../../http/route.ts';
import { time } from '../../http/schema.ts';
import { deletionsNote, readDeletionsNote } from '../../match-counts.ts';
import { presentResults, resultFields } from '../results.ts';

const playerParams = z.object({ username: z.string().min(1).max(200) });

const versusParams = playerParams.extend({ other: z.string().min(1).max(200) });

const playerResponse = z
  .object({ username: z.string(), ...resultFields, deletions_note: deletionsNote })
  .meta({ id: 'Player' });

const versionsResponse = z.object({
  username: z.string(),
  versions: z
    .array(
      z.object({
        bot_hash: z.string().describe('SHA-256 over the two files of the bot'),
        matches: z.number().int(),
        delta: z.number().int(),
        decisions: z.number().int().describe('of the matches whose faults are known'),
        failed_decisions: z.number().int(),
        first_ended_at: time,
        last_ended_at: time,
      }),
    )
    .describe('the one that played last first, at most 100'),
});

const versusResponse = z
  .object({ username: z.string(), other: z.string(), ...resultFields, deletions_note: deletionsNote })
  .meta({ id: 'HeadToHead' });

/** Reads the results of players over the public matches in which all of them sat. Throws NOT_FOUND for an unknown name. */
async function readResults(usernames: readonly string[], context: Context) {
  const { ids, unknown } = await context.names.idsOf(usernames);
  if (unknown.length > 0) throw new DomainError('NOT_FOUND', 'no-such-user', 'User not found');
  const results = await context.liveData.getResults({ playerIds: ids }, { caller: { kind: 'anonymous' } });
  const [nameOf, deletions_note] = await Promise.all([context.names.of(ids), readDeletionsNote(context)]);
  return { names: ids.map(nameOf), results: { ...(await presentResults(results, context)), deletions_note } };
}

export const playerRoutes = [
  route('GET /players/{username}', {
    access: 'anyone',
    summary: "A player's results over all public matches",
    params: playerParams,
    response: playerResponse,
    refusals: [404],
    shared: { among: 'everyone' },
    async handle({ params, context }) {
      const { names, results } = await readResults([params.username], context);
      return { username: names[0] ?? params.username, ...results };
    },
  }),
  route('GET /players/{username}/versions', {
    access: 'signed-in',
    summary: "The bots that a user played finished matches with, test runs left out. The user's own and admins' only",
    params: playerParams,
    response: versionsResponse,
    refusals: [403, 404],
    async handle({ params, context, caller }) {
      const userId = await context.names.idOf(params.username);
      const { versions } = await context.simulation.listBotVersions({ userId }, { caller });
      return {
        username: params.username,
        versions: versions.map((version) => ({
          bot_hash: version.botHash,
          matches: version.matches,
          delta: version.delta,
          decisions: version.decisions,
          failed_decisions: version.failedDecisions,
          first_ended_at: version.firstEndedAt,
          last_ended_at: version.lastEndedAt,
        })),
      };
    },
  }),
  route('GET /players/{username}/versus/{other}', {
    access: 'anyone',
    summary: 'Two players over the public matches that both played',
    params: versusParams,
    response: versusResponse,
    refusals: [400, 404],
    shared: { among: 'everyone' },
    async handle({ params, context }) {
      if (params.username.toLowerCase() === params.other.toLowerCase()) {
        throw new DomainError('INVALID_ARGUMENT', 'same-player', 'Choose another player to compare with.');
      }
      const { names, results } = await readResults([params.username, params.other], context);
      return { username: names[0] ?? params.username, other: names[1] ?? params.other, ...results };
    },
  }),
];
