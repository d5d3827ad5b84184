import { DomainError } from '@husky/runtime/rpc/errors';
import { resolverRefusal } from '@husky/submission/domain/index-errors';
import { refuseOtherHashes, resolvedList } from '@husky/submission/domain/lock';
import type { Command } from '../command.ts';
import { KitError } from '../wire.ts';

/** The command `explain-resolver` with `{output, target}`: returns the sentence that an upload shows for a package resolver's output. */
export const explainResolver: Command = async ({ output, target }) => {
  const { message, code } = resolverRefusal(String(output), String(target));
  return { message, unreachable: code === 'UNAVAILABLE' };
};

/** The command `read-lock` with `{requirements, lock}`, lines and the text of a pylock.toml. Throws KitError 1 with an upload's sentence. */
export const readLock: Command = async ({ requirements, lock }) => {
  try {
    refuseOtherHashes(requirements as string[], String(lock));
  } catch (error) {
    throw error instanceof DomainError ? new KitError(1, error.message) : error;
  }
  const lines = resolvedList(String(lock)).split('\n');
  return { packages: lines.map((line) => line.split(' ')[0]) };
};
