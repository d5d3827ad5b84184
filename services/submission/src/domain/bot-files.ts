import { createHash } from 'node:crypto';
import { DomainError } from '@husky/runtime/rpc/errors';

/** The files of a bot with their hashes. */
export interface BotFiles {
  readonly player: Buffer;
  readonly playerHash: string;
  readonly requirementsFile: Buffer;
  readonly requirementsFileHash: string;
  /** Hex SHA-256 over the two files' SHA-256, player.py first. */
  readonly botHash: string;
}

/** What a requirements.txt asks for, as `checker/requirements_file.py` reads it. */
export interface Requirements {
  /** A line for each package, normalised and sorted: `numpy<2,>=1.26`, also `treys==0.1.8 --hash=sha256:…`; options first: `--pre`. */
  readonly lines: readonly string[];
  /** Hex SHA-256 of the lines. */
  readonly hash: string;
}

export function requirementsOf(lines: readonly string[]): Requirements {
  return { lines, hash: createHash('sha256').update(lines.join('\n')).digest('hex') };
}

/** Returns the names of the packages in lines of Requirements. */
export const packagesOf = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /^[a-z0-9][a-z0-9-]*/.exec(line)?.[0] ?? []);

export const noRequirements = requirementsOf([]);

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

/** Limits of one user. */
export interface Quota {
  /** Submissions that the user may keep. */
  readonly maxSubmissions: number;
  /** Uploads within 24 hours. */
  readonly maxUploadsADay: number;
}

/** What a user has used of a quota. */
export interface QuotaUse {
  readonly kept: number;
  /** Time (ms since the epoch) of the upload whose 24 hours must pass before the next one; undefined: none. */
  readonly blockingUpload: number | undefined;
}

export const dayMs = 24 * 3_600_000;

/** Throws if one more upload would exceed the quota. The message says what the user can do. */
export function refuseAboveQuota(quota: Quota, use: QuotaUse, now: number): void {
  const { maxSubmissions, maxUploadsADay } = quota;
  if (maxSubmissions === 0 || maxUploadsADay === 0) {
    const message = 'The organisers allow you no uploads at present.';
    throw new DomainError('FAILED_PRECONDITION', 'no-uploads', message);
  }
  if (use.kept >= maxSubmissions) {
    const kept = maxSubmissions === 1 ? '1 submission' : `${maxSubmissions} submissions`;
    const message = `You can keep at most ${kept}. Delete one first.`;
    throw new DomainError('FAILED_PRECONDITION', 'too-many-submissions', message);
  }
  const nextUpload = use.blockingUpload === undefined ? now : use.blockingUpload + dayMs;
  if (nextUpload <= now) return;
  const uploads = maxUploadsADay === 1 ? 'your one upload' : `all of your ${maxUploadsADay} uploads`;
  const message = `You have used ${uploads} of 24 hours. The next one is possible ${minuteOf(nextUpload)}.`;
  const retryAfterS = Math.ceil((nextUpload - now) / 1000);
  throw new DomainError('RESOURCE_EXHAUSTED', 'too-many-uploads-today', message, { retryAfterS });
}

/** "at 14:05 UTC on 2026-11-22", rounded up to the minute. */
function minuteOf(ms: number): string {
  const text = new Date(Math.ceil(ms / 60_000) * 60_000).toISOString();
  return `at ${text.slice(11, 16)} UTC on ${text.slice(0, 10)}`;
}

export const submissionNotFound = () => new DomainError('NOT_FOUND', 'submission-not-found', 'Submission not found');
export const fileNotFound = () => new DomainError('NOT_FOUND', 'file-not-found', 'File not found');
