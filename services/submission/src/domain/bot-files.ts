import { createHash } from 'node:crypto';
import { DomainError } from '@husky/runtime/errors';
import { parseRequirements, type Requirements, refuseStandardModules } from './requirements.ts';

/** The files of a bot with their hashes; size, encoding and requirements are checked. */
export interface BotFiles {
  readonly player: Buffer;
  readonly playerHash: string;
  readonly requirementsFile: Buffer;
  readonly requirementsFileHash: string;
  readonly requirements: Requirements;
  /** Hex SHA-256 over the two files' SHA-256, player.py first. */
  readonly botHash: string;
}

export const maxFileBytes = 1024 * 1024;

export const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

export function readBotFiles(playerBytes: Uint8Array, requirementsBytes: Uint8Array): BotFiles {
  const player = Buffer.from(playerBytes);
  const requirementsFile = Buffer.from(requirementsBytes);
  if (player.length === 0) throw invalid('player.py is empty.');
  textOf('player.py', player);
  const requirementsText = textOf('requirements.txt', requirementsFile);
  const requirements = parseRequirements(requirementsText);
  refuseStandardModules(requirementsText);
  const playerHash = sha256(player);
  const requirementsFileHash = sha256(requirementsFile);
  return {
    player,
    playerHash: playerHash.toString('hex'),
    requirementsFile,
    requirementsFileHash: requirementsFileHash.toString('hex'),
    requirements,
    botHash: sha256(Buffer.concat([playerHash, requirementsFileHash])).toString('hex'),
  };
}

function textOf(name: string, bytes: Buffer): string {
  if (bytes.length > maxFileBytes) {
    throw new DomainError('INVALID_ARGUMENT', 'file-too-large', `${name} is larger than 1 MiB.`);
  }
  const nul = bytes.indexOf(0);
  if (nul >= 0) throw invalid(`${name} contains a null byte in line ${lineAt(bytes, nul)}.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid(`${name} is not a UTF-8 text file.`);
  }
}

function lineAt(bytes: Buffer, offset: number): number {
  return bytes.subarray(0, offset).toString('latin1').split('\n').length;
}

function invalid(message: string): DomainError {
  return new DomainError('INVALID_ARGUMENT', 'bot-invalid', message);
}
