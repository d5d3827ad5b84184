import { randomUUID } from 'node:crypto';
import type { submissionService } from '@husky/contracts/services';
import type { ClientOf } from '@husky/runtime/rpc/grpc-client';
import { expect } from 'vitest';
import { testIdentities } from './servers.ts';

type Bots = Pick<ClientOf<typeof submissionService>, 'fetchBot' | 'fetchPackages'>;

const unknownHash = 'f'.repeat(64);

/**
 * Asserts the behaviour of submission on which runners rely: a lease that names a bot or a package archive may read all of its bytes,
 * and an unknown one is NOT_FOUND. Used with submission itself and with the runner's double of it.
 */
export async function expectBotsContract(
  submission: Bots,
  known: {
    readonly bot: { readonly hash: string; readonly player: Buffer };
    readonly packages: { readonly hash: string; readonly archive: Buffer };
  },
): Promise<void> {
  const reads = [known.bot.hash, known.packages.hash, unknownHash];
  const lease = { kind: 'lease', jobId: randomUUID(), attempt: 1, runner: 'contract', reads } as const;
  const token = await testIdentities().signerOf('simulation').sign(['submission'], lease, 60);
  const archiveOf = async (packagesHash: string) => {
    const parts: Buffer[] = [];
    for await (const { data } of submission.fetchPackages({ packagesHash }, { token })) parts.push(data);
    return Buffer.concat(parts);
  };
  const { playerFile, requirementsFile } = await submission.fetchBot({ botHash: known.bot.hash }, { token });
  expect([playerFile.equals(known.bot.player), requirementsFile.length]).toEqual([true, 0]);
  expect((await archiveOf(known.packages.hash)).equals(known.packages.archive)).toBe(true);
  await expect(submission.fetchBot({ botHash: unknownHash }, { token })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    reason: 'bot-not-found',
  });
  await expect(archiveOf(unknownHash)).rejects.toMatchObject({ code: 'NOT_FOUND', reason: 'packages-not-found' });
}
