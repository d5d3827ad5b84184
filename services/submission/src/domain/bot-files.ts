import { createHash } from 'node:crypto';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Requirements } from './requirements.ts';

/** The files of a bot with their hashes. */
export interface BotFiles {
  readonly player: Buffer;
  readonly playerHash: string;
  readonly requirementsFile: Buffer;
  readonly requirementsFileHash: string;
  /** Hex SHA-256 over the two files' SHA-256, player.py first. */
  readonly botHash: string;
}

/** The files of a bot that passed the check. */
export interface CheckedBot extends BotFiles {
  readonly requirements: Requirements;
  /** Sentences about what the check could not see. */
  readonly warnings: readonly string[];
}

export const maxFileBytes = 1024 * 1024;

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

/** Throws INVALID_ARGUMENT for a file over 1 MiB. */
export function readBotFiles(playerBytes: Uint8Array, requirementsBytes: Uint8Array): BotFiles {
  const player = Buffer.from(playerBytes);
  const requirementsFile = Buffer.from(requirementsBytes);
  for (const [name, { length }] of [
    ['player.py', player],
    ['requirements.txt', requirementsFile],
  ] as const) {
    if (length > maxFileBytes)
      throw new DomainError('INVALID_ARGUMENT', 'file-too-large', `${name} is larger than 1 MiB.`);
  }
  const playerHash = sha256(player);
  const requirementsFileHash = sha256(requirementsFile);
  return {
    player,
    playerHash: playerHash.toString('hex'),
    requirementsFile,
    requirementsFileHash: requirementsFileHash.toString('hex'),
    botHash: sha256(Buffer.concat([playerHash, requirementsFileHash])).toString('hex'),
  };
}
