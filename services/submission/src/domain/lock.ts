import { createHash } from 'node:crypto';
import { DomainError, type ErrorCode, messageOf } from '@husky/runtime/rpc/errors';
import { packagesOf } from './bot-files.ts';

/** A wheel of a lock (pylock.toml). */
interface LockedWheel {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly sha256: string;
}

/** Lists the wheels of a lock without their URLs: sorted lines `name==version file sha256`. */
export function resolvedList(lock: string): string {
  const lines = wheelsOf(lock).map(({ name, version, file, sha256 }) => `${name}==${version} ${file} ${sha256}`);
  return lines.sort().join('\n');
}

/** Computes the hash of a resolved list for one Python and platform, which is part of a match's commitment (docs/fairness.md). */
export function packagesHash(python: string, platform: string, resolved: string): string {
  return createHash('sha256').update(`${python}\n${platform}\n${resolved}`).digest('hex');
}

/**
 * Throws FAILED_PRECONDITION if requirements give hashes of a package and its wheel has none of them. uv checks hashes when it installs, but
 * not when it locks. `lines` as in Requirements.
 */
export function refuseOtherHashes(lines: readonly string[], lock: string): void {
  const known = new Map<string, string[]>();
  for (const line of lines) {
    const [requirement = '', ...hashes] = line.split(' --hash=sha256:');
    const [name] = packagesOf([requirement]);
    if (name !== undefined && hashes.length > 0) known.set(name, [...(known.get(name) ?? []), ...hashes]);
  }
  const all = lines.includes('--require-hashes');
  for (const { name, version, file, sha256 } of wheelsOf(lock)) {
    const hashes = known.get(name);
    if (hashes?.includes(sha256)) continue;
    if (hashes)
      throw refusal(
        `The wheel ${file} has the hash sha256:${sha256}, which is none of those for ${name} in requirements.txt.`,
      );
    if (all)
      throw refusal(
        `requirements.txt asks for hashes, but has none for ${name}==${version}, which other packages need.`,
      );
  }
}

function wheelsOf(lock: string): LockedWheel[] {
  return lock
    .split('[[packages]]')
    .slice(1)
    .map((entry) => {
      const field = (pattern: RegExp) => pattern.exec(entry)?.[1] ?? '';
      const path =
        field(/(?:url|path) = "([^"]+)"/)
          .split('/')
          .at(-1) ?? '';
      return {
        name: field(/^name = "([^"]+)"/m),
        version: field(/^version = "([^"]+)"/m),
        file: decodeURIComponent(path),
        sha256: field(/sha256 = "([0-9a-f]{64})"/),
      };
    });
}

function refusal(message: string): DomainError {
  return new DomainError('FAILED_PRECONDITION', 'package-unresolvable', message);
}

/** `ready`: its packages are stored, or it has none. Only such a submission can be final and play. */
export type SubmissionState = 'ready' | 'preparing' | 'refused';

/** What is done for a submission that is preparing. */
export type PreparationStep = 'waiting' | 'resolving' | 'downloading' | 'packing';

const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['FAILED_PRECONDITION', 'INVALID_ARGUMENT']);
const firstBackoffMs = 5000;
const maxBackoffMs = 60_000;
const giveUpMs = 30 * 60_000;

/** What follows from a failed try. `afterMs`: pause before the next one. */
export type Verdict =
  | { readonly refused: true; readonly reason: string }
  | { readonly refused: false; readonly reason: string; readonly afterMs: number };

/**
 * Judges a failed try to prepare packages. A refusal of the packages ends it; every other failure is repeated for half an hour.
 * `tries`: number of tries. `failingMs`: since the first failure.
 */
export function preparationVerdict(error: unknown, tries: number, failingMs: number): Verdict {
  const reason = error instanceof DomainError ? messageOf(error) : 'The server has failed to prepare the packages.';
  if (error instanceof DomainError && refusals.has(error.code)) return { refused: true, reason };
  if (failingMs >= giveUpMs) {
    const minutes = giveUpMs / 60_000;
    return {
      refused: true,
      reason: `${reason} It was tried for ${minutes} minutes. Please upload the files again later.`,
    };
  }
  return { refused: false, reason, afterMs: Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.max(0, tries - 1)) };
}
