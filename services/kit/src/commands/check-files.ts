import { readFileSync } from 'node:fs';
import { DomainError } from '@husky/runtime/errors';
import { readBotFiles } from '@husky/submission/domain/bot-files';
import { resolverRefusal } from '@husky/submission/domain/index-errors';
import type { Command } from '../command.ts';
import { KitError } from '../wire.ts';

/** The command `check-files` with `{player, requirements}`, two paths. Throws KitError 1 with the sentence that an upload shows. */
export const checkFiles: Command = async ({ player, requirements }) => {
  const requirementsFile = typeof requirements === 'string' ? readFileSync(requirements) : Buffer.alloc(0);
  try {
    const files = readBotFiles(readFileSync(String(player)), requirementsFile);
    return { bot_hash: files.botHash, requirements: files.requirements.lines };
  } catch (error) {
    if (error instanceof DomainError) throw new KitError(1, error.message);
    throw error;
  }
};

/** The command `explain-resolver` with `{output, target}`: returns the sentence that an upload shows for a package resolver's output. */
export const explainResolver: Command = async ({ output, target }) => {
  const { message, code } = resolverRefusal(String(output), String(target));
  return { message, unreachable: code === 'UNAVAILABLE' };
};
