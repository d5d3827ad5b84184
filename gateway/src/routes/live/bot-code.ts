import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import type { BotVersion__Output } from '@husky/contracts/types/submission/v1/BotVersion';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { route } from '../../http/route.ts';
import { time } from '../../http/schema.ts';
import { sourceText } from '../source-text.ts';
import { botParams } from './schema.ts';

const version = z
  .object({
    bot_hash: z.string().describe('hex SHA-256 over both files'),
    first_used_at: time.describe('first upload or test run of these files'),
    player_file: z.string(),
    requirements_file: z.string(),
  })
  .meta({ id: 'BotVersion' });
const botCodeResponse = z
  .object({
    job_id: z.string(),
    username: z.string(),
    version,
    previous: version.nullable().describe('the version of this user before it; null: none is stored'),
  })
  .meta({ id: 'BotCode' });

export const botCodeRoutes = [
  route('GET /live/job/{id}/bots/{username}/code', {
    access: 'verified',
    tokenScope: 'read',
    summary: 'The files that a bot played a match with, and those of the version before. Its owner and admins only',
    params: botParams,
    response: botCodeResponse,
    refusals: [403, 404],
    async handle({ params, context, caller }) {
      const userId = await context.names.idOf(params.username);
      const job = await context.simulation.getJob({ jobId: params.id.toLowerCase() }, { caller });
      const { version, previous } = await readVersions(job, userId, { context, caller });
      return {
        job_id: job.id,
        username: params.username,
        version: presentVersion(version),
        previous: previous && presentVersion(previous),
      };
    },
  }),
];

/**
 * Reads the version of a user's bot that plays in a job, and the version before it. Throws NOT_FOUND if the user has no seat or the files
 * are not stored any more, PERMISSION_DENIED unless the caller is the user or an admin.
 */
export async function readVersions(
  job: Job__Output,
  userId: string,
  { context, caller }: { readonly context: Context; readonly caller: Caller },
): Promise<{ version: BotVersion__Output; previous: BotVersion__Output | null }> {
  const botHash = job.botHashes[job.playerIds.indexOf(userId)];
  if (botHash === undefined) throw new DomainError('NOT_FOUND', 'not-a-player', 'This user has no bot in this match.');
  if (botHash === '') {
    throw new DomainError('PERMISSION_DENIED', 'not-the-owner', "A bot's code is shown to its owner and admins only.");
  }
  const { version, previous } = await context.submission.getBotVersion({ userId, botHash }, { caller });
  if (version === null) throw new DomainError('NOT_FOUND', 'version-not-found', 'These files are not stored any more.');
  return { version, previous };
}

function presentVersion({ botHash, firstUsedAt, playerFile, requirementsFile }: BotVersion__Output) {
  return {
    bot_hash: botHash,
    first_used_at: firstUsedAt,
    player_file: sourceText(playerFile),
    requirements_file: sourceText(requirementsFile),
  };
}
