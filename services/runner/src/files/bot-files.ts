import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readPackageArchive } from '@husky/contracts/package-archive';
import type { Seat__Output } from '@husky/contracts/types/simulation/v1/Seat';
import { isTransient } from '@husky/runtime/process/retry';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import type { RpcOptions } from '@husky/runtime/rpc/grpc-client';
import { causeOf } from '../cause.ts';
import type { Context } from '../context.ts';
import { FolderStore } from './folders.ts';

/** Folders kept for later matches. A match has at most six archives; the volume of a runner holds them (runners.volumeSize of the chart). */
const maxBots = 64;
const maxArchives = 6;
/** Time after the last received part or written data of an archive after which it is given up. Its length is not limited. */
const stalledMs = 40_000;

type Options = (more: { signal: AbortSignal }) => RpcOptions;

/** A seat's packages cannot be fetched; the message has the reason, for participants. */
export class PackagesUnavailable extends Error {
  override readonly name = 'PackagesUnavailable';
  /** False if the same archive may be fetched later: this runner or submission was too slow. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean, cause: unknown) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

/** Fetches bots and packages into the run directory, where seats can read them. Returns paths relative to it. */
export class BotFiles {
  readonly #context: Context;
  readonly #bots: FolderStore;
  readonly #packages: FolderStore;

  constructor(context: Context) {
    this.#context = context;
    const onLeft = (error: unknown) => context.log.warn({ err: error }, `a folder was left: ${messageOf(error)}`);
    this.#bots = new FolderStore(join(context.runDir, 'bots'), maxBots, onLeft);
    this.#packages = new FolderStore(join(context.runDir, 'packages'), maxArchives, onLeft);
  }

  /** Fetches a bot's two files. Rejects with errors of submission, or RangeError for a bad hash. */
  async fetchBot({ botHash }: Seat__Output, options: Options, signal: AbortSignal): Promise<string> {
    const folder = await this.#bots.getOrCreate(botHash, async (folder) => {
      const files = await this.#context.submission.fetchBot({ botHash }, options({ signal }));
      await writeFile(join(folder, 'player.py'), files.playerFile);
      await writeFile(join(folder, 'requirements.txt'), files.requirementsFile);
    });
    return relativePath(folder);
  }

  /** Fetches and unpacks a bot's packages; null if it has none. Rejects with PackagesUnavailable or transient errors of submission. */
  async fetchPackages({ packagesHash }: Seat__Output, options: Options, signal: AbortSignal): Promise<string | null> {
    if (packagesHash === '') return null;
    const fill = (folder: string) => this.#fillPackages(packagesHash, folder, options, signal);
    const folder = await this.#packages.getOrCreate(packagesHash, fill).catch((error: unknown) => {
      if (signal.aborted || isTransient(error) || error instanceof PackagesUnavailable) throw error;
      throw new PackagesUnavailable(causeOf(error), true, error);
    });
    return relativePath(folder);
  }

  async #fillPackages(packagesHash: string, folder: string, options: Options, signal: AbortSignal): Promise<void> {
    const stalled = new AbortController();
    const timer = setTimeout(() => stalled.abort(), stalledMs);
    const eitherSignal = AbortSignal.any([signal, stalled.signal]);
    let hasBegun = false;
    const onProgress = () => {
      hasBegun = true;
      timer.refresh();
    };
    try {
      const parts = this.#context.submission.fetchPackages({ packagesHash }, options({ signal: eitherSignal }));
      await unpack(parts, folder, eitherSignal, onProgress);
    } catch (error) {
      if (signal.aborted || !stalled.signal.aborted) throw error;
      // No part has arrived: submission is slow, not the archive.
      if (!hasBegun) throw new DomainError('DEADLINE_EXCEEDED', 'packages-late', 'no packages came');
      const message = `the package archive was not fetched and unpacked within ${stalledMs / 1000} s of its last progress`;
      throw new PackagesUnavailable(message, false, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Removes the least recently used folders beyond the limits, except those these seats need, and what earlier attempts or processes have
   * left half filled.
   */
  async trim(seats: readonly Seat__Output[]): Promise<void> {
    await this.#bots.trim(new Set(seats.map(({ botHash }) => botHash)));
    const hashes = seats.map(({ packagesHash }) => packagesHash).filter((hash) => hash !== '');
    await this.#packages.trim(new Set(hashes));
  }
}

/** Returns the path below the run directory, which the seats' container may see under another path. */
const relativePath = (path: string): string => path.split('/').slice(-2).join('/');

/**
 * Unpacks a .tar.gz of plain files and folders, strictly inside `folder`. Throws BadArchive, AbortError or the error of `parts`. Nothing is
 * written any more when it has ended or thrown. `onProgress` is called for each part and each written piece of a file.
 */
export async function unpack(
  parts: AsyncIterable<{ data: Buffer }>,
  folder: string,
  signal?: AbortSignal,
  onProgress: () => void = () => undefined,
): Promise<void> {
  async function* data(): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      onProgress();
      yield part.data;
    }
  }
  let made = '';
  for await (const { path, content } of readPackageArchive(data(), signal)) {
    const target = join(folder, path);
    if (dirname(target) !== made) {
      made = dirname(target);
      await mkdir(made, { recursive: true });
    }
    const file = await open(target, 'wx');
    try {
      for await (const piece of content) {
        await file.writeFile(piece);
        onProgress();
      }
    } finally {
      await file.close();
    }
  }
}
