import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lease } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Call } from '@husky/runtime/rpc/grpc-server';

const folder = join(import.meta.dirname, '..');

/**
 * Creates handlers for the RPCs of submission that a runner calls. `bots`: name or source of each bot by its hash. `packages`:
 * archives by their hash.
 */
export function submissionDouble(bots: ReadonlyMap<string, string>, packages: ReadonlyMap<string, Buffer>): object {
  return {
    fetchBot: async ({ botHash }: { botHash: string }, call: Call) => {
      lease(call.caller);
      const bot = bots.get(botHash);
      if (bot === undefined) throw unknownBot();
      const places = ['bots', 'fixtures/bots'].map((kind) => join(folder, kind, bot, 'player.py'));
      const playerFile = bot.includes('\n') ? Buffer.from(bot) : firstFile(places);
      return { playerFile, requirementsFile: Buffer.alloc(0) };
    },
    fetchPackages: async function* ({ packagesHash }: { packagesHash: string }, call: Call) {
      lease(call.caller);
      const archive = packages.get(packagesHash);
      if (archive === undefined) throw new DomainError('NOT_FOUND', 'packages-not-found', 'No such packages.');
      for (let from = 0; from < archive.length; from += 500) yield { data: archive.subarray(from, from + 500) };
    },
  };
}

const unknownBot = () => new DomainError('NOT_FOUND', 'bot-not-found', 'No such bot.');

function firstFile(places: readonly string[]): Buffer {
  for (const place of places) {
    try {
      return readFileSync(place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw unknownBot();
}
