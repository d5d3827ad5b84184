import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The fields of PostgreSQL's backup manifest that are used here (https://www.postgresql.org/docs/current/backup-manifest-format.html). */
export interface BackupManifest {
  /** 64 bits in decimal, the same for all backups of a server; undefined before version 17. */
  readonly systemIdentifier: string | undefined;
  readonly Files: readonly {
    readonly Path: string;
    readonly Size: number;
    readonly 'Checksum-Algorithm': string;
    readonly Checksum: string;
  }[];
  readonly 'WAL-Ranges': readonly { readonly Timeline: number; readonly 'Start-LSN': string }[];
}

/** Throws a SyntaxError if the text is truncated. */
export function parseManifest(text: string): BackupManifest {
  // JSON.parse would round it.
  const [, systemIdentifier] = /"System-Identifier":\s*(\d+)/.exec(text) ?? [];
  return { ...(JSON.parse(text) as Omit<BackupManifest, 'systemIdentifier'>), systemIdentifier };
}

/** Files of an archived write-ahead log: their sizes in bytes by name. */
export type Segments = ReadonlyMap<string, number>;

/** Returns the complete files of a folder of the archived log, by name. */
export function listSegments(walFolder: string): Segments {
  const names = readdirSync(walFolder).filter((name) => !name.endsWith('.part'));
  return new Map(names.sort().map((name) => [name, statSync(join(walFolder, name)).size]));
}

/** Returns a function that says whether recovery of a backup does not need a segment, because it is older. */
export function isBefore(manifest: BackupManifest, segments: Segments): (segment: string) => boolean {
  const [range] = manifest['WAL-Ranges'];
  const [high = '0', low = '0'] = range?.['Start-LSN'].split('/') ?? [];
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  const first = hex(Number.parseInt(high, 16)) + hex(Math.floor(Number.parseInt(low, 16) / segmentBytes(segments)));
  // The first eight digits are the timeline, which only grows.
  return (segment) => /^[0-9A-F]{24}/.test(segment) && segment.slice(8, 24) < first;
}

function segmentBytes(segments: Segments): number {
  for (const [name, bytes] of segments) if (/^[0-9A-F]{24}$/.test(name)) return bytes;
  // If all segments are compressed, as in the chart, their size is PostgreSQL's default.
  return 16 << 20;
}
