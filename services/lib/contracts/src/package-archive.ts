import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';

/** What an archive may hold. */
export interface ArchiveLimits {
  /** Follows 'the' in a refusal. */
  readonly noun: string;
  /** Of all files, unpacked. */
  readonly bytes: number;
  /** Files, and folders that hold a file. */
  readonly entries: number;
  readonly pathBytes: number;
  /** Of a path: its folders and its name. */
  readonly levels: number;
}

/**
 * What the packages of one bot may hold. submission packs within these limits and reads each archive before it stores it; runners read it
 * with the same code, so that they refuse no stored archive.
 */
export const packageLimits: ArchiveLimits = {
  noun: 'package archive',
  bytes: 200 << 20,
  // numpy, scipy, pandas and scikit-learn together have 8,700.
  entries: 20_000,
  pathBytes: 300,
  levels: 20,
};

/** Tar adds a header of up to four blocks and padding to each file. */
const overheadBytes = 3072;

/** An archive that must not be unpacked; the message has the reason. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}

/** A file of an archive. Its content must be read before the next file. */
export interface PackedFile {
  readonly path: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Yields the files of a .tar.gz, of packages unless other limits are given. Throws BadArchive for one that is damaged, exceeds the limits, or
 * holds anything but files with paths inside of it; the error of `parts`; or AbortError. Nothing reads `parts` any more when it has ended or thrown.
 */
export async function* readPackageArchive(
  parts: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
  limits: ArchiveLimits = packageLimits,
): AsyncGenerator<PackedFile> {
  const check = createCheck(limits);
  const failed: { source?: unknown } = {};
  const source = async function* () {
    try {
      yield* parts;
    } catch (error) {
      failed.source = error;
      throw error;
    }
  };
  const archive = extract();
  const reading = pipeline(source, createGunzip(), bounded(limits), archive, signal === undefined ? {} : { signal });
  const failure = reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  const explain = async (error: unknown): Promise<unknown> => {
    archive.destroy();
    const cause = (await failure) ?? error;
    if (signal?.aborted) return isAbort(cause) ? cause : new DOMException('The operation was aborted', 'AbortError');
    if ('source' in failed) return failed.source;
    if (cause instanceof BadArchive) return cause;
    return new BadArchive(`the ${limits.noun} is damaged: ${(cause as Error).message}`, { cause });
  };
  async function* contentOf(entry: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* entry;
    } catch (error) {
      throw await explain(error);
    }
  }
  try {
    for await (const entry of archive) {
      const { name, type, size = 0 } = entry.header;
      const path = name.replace(/^(?:\.\/)+|\/+$/g, '');
      check(path, type, size);
      if (type === 'file') yield { path, content: contentOf(entry as unknown as AsyncIterable<Uint8Array>) };
      entry.resume();
    }
    await reading;
  } catch (error) {
    throw error instanceof BadArchive ? error : await explain(error);
  } finally {
    archive.destroy();
    await failure;
  }
}

/** Returns a function that throws BadArchive for the first entry that exceeds the limits, is no file or lies outside. */
function createCheck({
  noun,
  bytes,
  entries,
  pathBytes,
  levels,
}: ArchiveLimits): (path: string, type: string | null | undefined, size: number) => void {
  const refuse = (why: string) => {
    throw new BadArchive(`the ${noun} ${why}`);
  };
  const files = new Set<string>();
  const folders = new Set<string>();
  let sum = 0;
  return (path, type, size) => {
    const shown = path.length > 80 ? `${path.slice(0, 80)}…` : path;
    const names = path.split('/');
    if (type !== 'file' && type !== 'directory') refuse(`holds a ${type ?? 'thing of an unknown type'}: ${shown}`);
    if (path.startsWith('/') || names.includes('..') || path.includes('\0')) refuse(`leads outside: ${shown}`);
    if (Buffer.byteLength(path) > pathBytes) refuse(`holds a path of more than ${pathBytes} bytes: ${shown}`);
    if (names.length > levels) refuse(`holds a path of more than ${levels} levels: ${shown}`);
    if (files.has(path)) refuse(`holds a file twice: ${shown}`);
    if (type === 'file') files.add(path);
    folders.add(type === 'file' ? posix.dirname(path) : path);
    sum += size;
    if (sum > bytes) refuse(`takes more than ${bytes >> 20} MiB unpacked`);
    if (files.size + folders.size > entries)
      refuse(`holds more than ${entries.toLocaleString('en')} files and folders`);
  };
}

/** Returns what ends a stream that decompresses to more than any archive within the limits. */
const bounded = ({ noun, bytes, entries }: ArchiveLimits) =>
  async function* (data: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let left = bytes + entries * overheadBytes;
    for await (const chunk of data) {
      left -= chunk.length;
      if (left < 0) throw new BadArchive(`the ${noun} takes more than its files need`);
      yield chunk;
    }
  };

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
