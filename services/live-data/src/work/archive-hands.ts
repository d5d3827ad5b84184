import { ArchiveUnreachable } from '../archive/hand-archive.ts';
import type { Context } from '../context.ts';
import { packObject, sha256Of } from '../domain/archive-object.ts';
import { measureArchived } from '../metrics.ts';
import {
  type ArchivableMatch,
  auditArchived,
  moveToArchive,
  nextToArchive,
  planObject,
  readChunks,
} from '../store/archived-hands.ts';
import { dropOrphans, forgetObject, objectsToDelete } from '../store/dropped-objects.ts';
import { eachMatch } from './each-match.ts';

const dayMs = 24 * 60 * 60 * 1000;
// At most a third of one connection's time, so that matches in play do not wait.
const pauseRatio = 2;
const maxSkipped = 20;
const objectsPerRead = 100;

type ArchiveContext = Pick<Context, 'db' | 'log' | 'now' | 'relay' | 'stopping' | 'archiveAfterDays' | 'workLocks'>;

/**
 * Moves the hands of finished matches that were opened more than `archiveAfterDays` ago to the archive, oldest first, and deletes the
 * objects of deleted matches. One replica at a time works, under an advisory lock. A run ends when the archive cannot be reached; the
 * next run resumes it.
 */
export async function archiveHands(context: ArchiveContext): Promise<void> {
  if (!context.db.archive.isSet) return;
  await context.workLocks.run('archive', async () => {
    await dropOrphans(context.db);
    await deleteObjects(context);
    if (context.archiveAfterDays !== undefined) await archiveBefore(context, context.archiveAfterDays);
  });
}

async function archiveBefore(context: ArchiveContext, days: number): Promise<void> {
  const before = new Date(context.now() - days * dayMs);
  const sums = { matches: 0, hands: 0, bytes: 0 };
  const skipped: string[] = [];
  let reachable = true;
  await eachMatch<ArchivableMatch>(context, {
    name: 'archiving',
    async next() {
      if (!reachable || skipped.length === maxSkipped) return [];
      await deleteObjects(context);
      const match = await nextToArchive(context.db, before, skipped);
      return match === null ? [] : [match];
    },
    async work(match) {
      try {
        const bytes = await archiveMatch(context, match);
        if (bytes === null) {
          skipped.push(match.jobId);
          return;
        }
        sums.matches += 1;
        sums.hands += match.hands;
        sums.bytes += bytes;
      } catch (error) {
        skipped.push(match.jobId);
        reachable = !(error instanceof ArchiveUnreachable);
        throw error;
      }
    },
    concurrency: () => 1,
    pauseRatio: () => pauseRatio,
  });
  if (sums.matches === 0) return;
  await auditArchived(context.db, { ...sums, opened_before: before });
  context.relay.kick();
  context.log.info({ days, ...sums }, `archived the hands of ${sums.matches} matches`);
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
async function deleteObjects({ db, stopping }: ArchiveContext): Promise<void> {
  for (;;) {
    const jobIds = await objectsToDelete(db, objectsPerRead);
    for (const jobId of jobIds) {
      if (stopping.aborted) return;
      await db.archive.delete(jobId);
      await forgetObject(db, jobId);
    }
    if (jobIds.length < objectsPerRead) return;
  }
}
