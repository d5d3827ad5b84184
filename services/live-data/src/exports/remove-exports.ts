import type { Context } from '../context.ts';
import { pauseAfter } from '../work/each-match.ts';
import { deleteEndedBefore, deleteFiles, deleteParts, emptyEnded } from './store/ended-exports.ts';
import { endExport, readyExports } from './store/exports.ts';

const dayMs = 86_400_000;
// Failed and dropped exports are listed for this time.
const keepEndedDays = 30;
// A part has 1 MiB. A statement has 30 s, and a large archive 4,096 parts.
const partsPerStatement = 64;
const rowsPerStatement = 1000;
// A pause as long as the work.
const pauseRatio = 1;

type RemovalContext = Pick<Context, 'db' | 'exports' | 'now' | 'stopping'>;

/** Drops the ready exports that are older than the time for which they are kept. */
export async function dropOldExports(context: RemovalContext): Promise<void> {
  const { keepDays } = context.exports;
  const before = context.now() - keepDays * dayMs;
  for (const { id, endedAt } of await readyExports(context.db)) {
    if (endedAt.getTime() >= before) return;
    const problem = `The export was removed after ${keepDays} days. It can be made again.`;
    await endExport(context.db, id, 'dropped', problem, new Date(context.now()));
  }
}

/** Drops the oldest ready exports until there is room for an archive of this size, and deletes their archives. */
export async function makeRoom(context: RemovalContext, bytes: number): Promise<void> {
  const ready = await readyExports(context.db);
  let total = ready.reduce((sum, { bytes: size }) => sum + size, 0);
  for (const { id, bytes: size } of ready) {
    if (total + bytes <= context.exports.maxBytes) break;
    total -= size;
    const problem = 'The export was removed to make room for newer ones. It can be made again.';
    await endExport(context.db, id, 'dropped', problem, new Date(context.now()));
  }
  await deleteEnded(context);
}

/** Deletes the archives of failed and dropped exports in small statements, and those exports themselves after 30 days. */
export async function deleteEnded(context: RemovalContext): Promise<void> {
  const { db } = context;
  const before = new Date(context.now() - keepEndedDays * dayMs);
  await repeatFull(context, partsPerStatement, (limit) => deleteParts(db, limit));
  await repeatFull(context, rowsPerStatement, (limit) => deleteFiles(db, limit));
  await repeatFull(context, rowsPerStatement, (limit) => emptyEnded(db, limit));
  await repeatFull(context, rowsPerStatement, (limit) => deleteEndedBefore(db, before, limit));
}

/** Repeats a statement until it changes fewer than `limit` rows, or the service stops. */
async function repeatFull(
  { stopping }: RemovalContext,
  limit: number,
  run: (limit: number) => Promise<number>,
): Promise<void> {
  while (!stopping.aborted) {
    const startedAt = performance.now();
    if ((await run(limit)) < limit) return;
    await pauseAfter(startedAt, pauseRatio, stopping);
  }
}
