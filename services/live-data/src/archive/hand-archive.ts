import { messageOf } from '@husky/runtime/rpc/errors';
import { LRUCache } from 'lru-cache';
import { sha256Of, unpackObject } from '../domain/archive-object.ts';
import type { PackedChunk } from '../domain/record.ts';
import { archiveDamaged, archiveUnreachable } from '../domain/refusals.ts';
import { type ArchiveOperation, countArchiveFailure, startArchiveMetrics } from '../metrics.ts';
import type { Objects } from './objects.ts';

/** An object of the archive as the database describes it. */
export interface ObjectFacts {
  readonly jobId: string;
  readonly sha256: Uint8Array;
}

// Some 1,000 matches of 1,000 hands.
const maxCachedBytes = 32 * 2 ** 20;
const overheadBytes = 2048;

/** The key of the object with the hands of a match. */
const keyOf = (jobId: string) => `hands/${jobId}`;

/** Thrown if an object cannot be reached, or if a written one is read back differently. */
export class ArchiveUnreachable extends Error {}

/** The hands of old matches, an object for each match. Without `objects`, reads are refused. */
export class HandArchive {
  readonly #objects: Objects | undefined;
  /** The objects that were read last, with compared hashes, by key and hash. */
  readonly #read: LRUCache<string, { readonly bytes: number; readonly chunks: readonly PackedChunk[] }, ObjectFacts>;

  constructor(objects: Objects | undefined) {
    this.#objects = objects;
    if (objects !== undefined) startArchiveMetrics();
    this.#read = new LRUCache({
      maxSize: maxCachedBytes,
      sizeCalculation: ({ bytes }) => overheadBytes + bytes,
      fetchMethod: (_key, _stale, { context }) => this.#fetch(context),
    });
  }

  get isSet(): boolean {
    return this.#objects !== undefined;
  }

  /** Writes an object and compares what the store returns with it. Throws ArchiveUnreachable. */
  async write(jobId: string, object: Buffer): Promise<void> {
    const key = keyOf(jobId);
    await this.#reach('write', async (objects) => {
      await objects.put(key, object);
      const stored = await objects.get(key, object.length);
      if (stored === null || !stored.equals(object)) throw new Error(`${key} is read differently than it was written`);
    });
  }

  /** Deletes the object of a match. Idempotent. Throws ArchiveUnreachable. */
  async delete(jobId: string): Promise<void> {
    await this.#reach('delete', (objects) => objects.delete(keyOf(jobId)));
  }

  /**
   * Returns the chunks in the object of a match, from memory if it was read recently. Throws UNAVAILABLE with the id of the match if the
   * object cannot be reached, is missing or has another hash.
   */
  async read(facts: ObjectFacts): Promise<readonly PackedChunk[]> {
    const key = `${facts.jobId} ${Buffer.from(facts.sha256).toString('hex')}`;
    return (await this.#read.forceFetch(key, { context: facts })).chunks;
  }

  async #fetch({ jobId, sha256 }: ObjectFacts) {
    const object = await this.#reach('read', (objects) => objects.get(keyOf(jobId))).catch((error: unknown) => {
      throw archiveUnreachable(jobId, error);
    });
    if (object === null || !sha256Of(object).equals(sha256)) {
      countArchiveFailure('read');
      throw archiveDamaged(jobId, object === null ? 'missing' : 'damaged');
    }
    return { bytes: object.length, chunks: unpackObject(object).chunks };
  }

  async #reach<T>(operation: ArchiveOperation, work: (objects: Objects) => Promise<T>): Promise<T> {
    try {
      if (this.#objects === undefined) throw new Error('ARCHIVE_URL is not set');
      return await work(this.#objects);
    } catch (error) {
      countArchiveFailure(operation);
      throw new ArchiveUnreachable(`the archive of hands: ${messageOf(error)}`, { cause: error });
    }
  }
}
