import { messageOf } from '@husky/runtime/rpc/errors';
import { ArchiveUnreachable } from '../archive/hand-archive.ts';
import type { Context } from '../context.ts';
import { packObject, sha256Of } from '../domain/archive-object.ts';
import { measureArchived } from '../metrics.ts';
import {
  type ArchivableMatch,
  type ArchivePosition,
  auditArchived,
  moveToArchive,
  nextToArchive,
  planObject,
  readChunks,
} from '../store/archived-hands.ts';
import { dropOrphans, objectsToDelete, postponeDeletion, recordDeletion } from '../store/dropped-objects.ts';
import { beforeAllIds, eachMatch } from './each-match.ts';

const dayMs = 24 * 60 * 60 * 1000;
// At most a third of one connection's time, so that matches in play do not wait.
const pauseRatio = 2;
const objectsPerRead = 100;

type ArchiveContext = Pick<Context, 'db' | 'log' | 'now' | 'relay' | 'stopping' | 'archiveAfterDays' | 'workLocks'>;

const oldest: ArchivePosition = { createdAt: new Date(0), jobId: beforeAllIds };

/** The match at which the last run of this replica ended. The next one begins after it, so that matches that fail come last. */
export interface ArchiveProgress {
  last: ArchivePosition;
}

export const newProgress = (): ArchiveProgress => ({ last: oldest });

/** The failures of a run: it gives up after three objects in a row that could not be reached, and after 20 failures. */
class Failures {
  #consecutive = 0;
  #total = 0;

  get areTooMany(): boolean {
    return this.#consecutive >= 3 || this.#total >= 20;
  }

  add(error: unknown): void {
    this.#total += 1;
    if (error instanceof ArchiveUnreachable) this.#consecutive += 1;
  }

  /** Called when an object was reached. */
  resetConsecutive(): void {
    this.#consecutive = 0;
  }
}

/**
 * Moves the hands of finished matches that were opened more than `archiveAfterDays` ago to the archive, oldest first, and deletes the
 * objects of deleted matches. One replica at a time works, under an advisory lock. Skips an object that fails; a later run tries it again,
 * after the others. A run ends when the archive cannot be reached; the next run resumes it.
 */
export async function archiveHands(context: ArchiveContext, progress = newProgress()): Promise<void> {
  if (!context.db.archive.isSet) return;
  await context.workLocks.run('archive', async () => {
    await dropOrphans(context.db);
    const deletions = new Failures();
    await deleteObjects(context, deletions);
    if (context.archiveAfterDays === undefined) return;
    const before = new Date(context.now() - context.archiveAfterDays * dayMs);
    await archiveBefore(context, before, progress, () => deleteObjects(context, deletions));
  });
}

/** `betweenMatches` is called before each match. */
async function archiveBefore(
  context: ArchiveContext,
  before: Date,
  progress: ArchiveProgress,
  betweenMatches: () => Promise<void>,
): Promise<void> {
  const sums = { matches: 0, hands: 0, bytes: 0 };
  const failures = new Failures();
  const begin = progress.last;
  let end: ArchivePosition | undefined;
  await eachMatch<ArchivableMatch>(context, {
    name: 'archiving',
    async next() {
      if (failures.areTooMany) return [];
      await betweenMatches();
      let match = await nextToArchive(context.db, before, progress.last, end);
      if (match === null && end === undefined) {
        // Then those before the place where this run began.
        end = begin;
        match = await nextToArchive(context.db, before, oldest, end);
      }
      if (match === null) return [];
      progress.last = match;
      return [match];
    },
    async work(match) {
      try {
        const bytes = await archiveMatch(context, match);
        failures.resetConsecutive();
        if (bytes === null) return;
        sums.matches += 1;
        sums.hands += match.hands;
        sums.bytes += bytes;
      } catch (error) {
        failures.add(error);
        throw error;
      }
    },
    concurrency: () => 1,
    pauseRatio: () => pauseRatio,
  });
  if (sums.matches === 0) return;
  await auditArchived(context.db, { ...sums, opened_before: before });
  context.relay.kick();
  context.log.info({ days: context.archiveAfterDays, ...sums }, `archived the hands of ${sums.matches} matches`);
}

/** Moves the hands of a match to the archive. Returns the size of its object; null if the match was deleted meanwhile. */
async function archiveMatch({ db, now }: ArchiveContext, { jobId, attempt, hands }: ArchivableMatch) {
  const chunks = await readChunks(db, jobId, attempt);
  const stored = chunks.reduce((sum, chunk) => sum + chunk.hands, 0);
  if (stored !== hands) throw new RangeError(`${stored} of ${hands} hands of match ${jobId} are stored`);
  const object = packObject({ jobId, attempt, chunks });
  const facts = { jobId, attempt, hands, bytes: object.length, sha256: new Uint8Array(sha256Of(object)) };
  if (!(await planObject(db, facts))) return null;
  await db.archive.write(jobId, object);
  if (!(await moveToArchive(db, facts, new Date(now())))) {
    await db.archive.delete(jobId);
    return null;
  }
  measureArchived(object.length);
  return object.length;
}

/** Deletes the objects of matches that were deleted or whose hands were removed. */
async function deleteObjects({ db, log, stopping }: ArchiveContext, failures: Failures): Promise<void> {
  for (;;) {
    const jobIds = failures.areTooMany ? [] : await objectsToDelete(db, objectsPerRead);
    if (jobIds.length === 0) return;
    for (const jobId of jobIds) {
      if (stopping.aborted || failures.areTooMany) return;
      try {
        await db.archive.delete(jobId);
      } catch (error) {
        failures.add(error);
        log.warn({ err: error, jobId }, `deleting the hands of match ${jobId}: ${messageOf(error)}`);
        await postponeDeletion(db, jobId);
        continue;
      }
      failures.resetConsecutive();
      await recordDeletion(db, jobId);
    }
  }
}
