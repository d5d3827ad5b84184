import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Seat__Output } from '@husky/contracts/types/simulation/v1/Seat';
import { DomainError } from '@husky/runtime/errors';
import type { RpcOptions } from '@husky/runtime/grpc-client';
import { isTransient } from '@husky/runtime/retry';
import { extract, type ReadEntry } from 'tar';
import type { Context } from '../context.ts';
import type { SeatFiles } from '../play/setup.ts';
import { FolderStore } from './folders.ts';

/** Folders kept for later matches. */
const maxBots = 64;
const maxArchives = 8;
/** Submission allows 200 MiB unpacked. */
const maxBytes = 256 << 20;
const maxEntries = 50_000;
/** Timeout for fetching and unpacking one archive. */
const packagesTimeoutMs = 40_000;
const timeoutMessage = `the package archive was not fetched and unpacked within ${packagesTimeoutMs / 1000} s`;

/** A refused package archive; the message has the reason. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}

/** A seat's packages cannot be fetched; the message has the reason. */
export class PackagesUnavailable extends Error {
  override readonly name = 'PackagesUnavailable';
}

/** Fetches bots and packages into the run directory, where seats can read them. */
export class BotFiles {
  readonly #context: Context;
  readonly #bots: FolderStore;
  readonly #packages: FolderStore;

  constructor(context: Context) {
    this.#context = context;
    this.#bots = new FolderStore(join(context.runDir, 'bots'), maxBots);
    this.#packages = new FolderStore(join(context.runDir, 'packages'), maxArchives);
  }

  /** Fetches the files of one seat. Rejects with PackagesUnavailable, other errors of submission, or RangeError for a bad hash. */
  async fetch(
    seat: Seat__Output,
    options: (more: { signal: AbortSignal }) => RpcOptions,
    signal: AbortSignal,
  ): Promise<SeatFiles> {
    const bot = await this.#bots.getOrCreate(seat.botHash, async (folder) => {
      const files = await this.#context.submission.fetchBot({ botHash: seat.botHash }, options({ signal }));
      await writeFile(join(folder, 'player.py'), files.playerFile);
      await writeFile(join(folder, 'requirements.txt'), files.requirementsFile);
    });
    if (seat.packagesHash === '') return seatFiles(bot, null);
    const packages = await this.#packages.getOrCreate(seat.packagesHash, async (folder) => {
      const timeout = AbortSignal.timeout(packagesTimeoutMs);
      const eitherSignal = AbortSignal.any([signal, timeout]);
      let received = false;
      const request = { packagesHash: seat.packagesHash };
      const parts = this.#context.submission.fetchPackages(request, options({ signal: eitherSignal }));
      try {
        await unpack(
          notifyOfParts(parts, () => (received = true)),
          folder,
          eitherSignal,
        );
      } catch (error) {
        if (signal.aborted) throw error;
        // No part has arrived: submission is slow, not the archive.
        if (timeout.aborted && !received)
          throw new DomainError('DEADLINE_EXCEEDED', 'packages-late', 'no packages came');
        if (timeout.aborted) throw new PackagesUnavailable(timeoutMessage, { cause: error });
        const refused = error instanceof DomainError && !isTransient(error);
        if (refused || error instanceof BadArchive) throw new PackagesUnavailable(error.message, { cause: error });
        throw error;
      }
    });
    return seatFiles(bot, packages);
  }

  /** Removes the least recently used folders beyond the limits, except those this match needs. */
  async trim(seats: readonly Seat__Output[]): Promise<void> {
    await this.#bots.trim(new Set(seats.map(({ botHash }) => botHash)));
    await this.#packages.trim(new Set(seats.map(({ packagesHash }) => packagesHash)));
  }
}

// The paths are relative to the run directory, which the seats' container may see under another path.
function seatFiles(bot: string, packages: string | null): SeatFiles {
  const relative = (path: string) => path.split('/').slice(-2).join('/');
  return { botDir: relative(bot), packagesDir: packages === null ? null : relative(packages) };
}

async function* notifyOfParts<T>(parts: AsyncIterable<T>, onPart: () => void): AsyncGenerator<T> {
  for await (const part of parts) {
    onPart();
    yield part;
  }
}

/** Unpacks a .tar.gz of plain files and folders, strictly inside `folder`. Throws BadArchive, or the error of `parts`. */
export async function unpack(
  parts: AsyncIterable<{ data: Buffer }>,
  folder: string,
  signal?: AbortSignal,
): Promise<void> {
  let bytes = 0;
  let entries = 0;
  let refused: BadArchive | null = null;
  const check = (path: string, entry: ReadEntry): boolean => {
    bytes += entry.size;
    entries += 1;
    if (entry.type !== 'File' && entry.type !== 'OldFile' && entry.type !== 'Directory') {
      refused ??= new BadArchive(`the package archive holds a ${entry.type}: ${path}`);
    } else if (path.startsWith('/') || path.split('/').includes('..')) {
      refused ??= new BadArchive(`the package archive leads outside: ${path}`);
    } else if (bytes > maxBytes) {
      refused ??= new BadArchive(`the package archive takes more than ${maxBytes >> 20} MiB unpacked`);
    } else if (entries > maxEntries) {
      refused ??= new BadArchive(`the package archive holds more than ${maxEntries.toLocaleString('en')} files`);
    }
    return refused === null;
  };
  async function* data(): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      if (refused !== null) throw refused;
      yield part.data;
    }
  }
  const sink = extract({
    cwd: folder,
    strict: true,
    preserveOwner: false,
    filter: (path, entry) => check(path, entry as ReadEntry),
  });
  try {
    await pipeline(Readable.from(data()), sink, signal === undefined ? {} : { signal });
  } catch (error) {
    if (refused !== null) throw refused;
    if (
      (error as { tarCode?: string }).tarCode !== undefined ||
      (error as { code?: string }).code?.startsWith('TAR') === true
    ) {
      throw new BadArchive(`the package archive is damaged: ${(error as Error).message}`, { cause: error });
    }
    throw error;
  }
  if (refused !== null) throw refused;
}
