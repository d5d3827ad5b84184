import { createHash } from 'node:crypto';
import { DomainError } from '@husky/runtime/rpc/errors';

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
    const name = /^[a-z0-9-]+/.exec(requirement)?.[0];
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
