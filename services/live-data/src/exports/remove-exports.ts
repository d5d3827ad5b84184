import type { Context } from '../context.ts';
import { pauseAfter } from '../work/each-match.ts';
import { deleteEndedBefore, deleteFiles, deleteParts, emptyEnded } from './store/archives.ts';
import { type Export, endExport, storedArchives } from './store/exports.ts';

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
  for (const { id, state, endedAt } of await storedArchives(context.db)) {
    if (state !== 'ready' || endedAt.getTime() >= before) continue;
    const problem = `The export was removed after ${keepDays} days. It can be made again.`;
    await endExport(context.db, id, 'dropped', problem, new Date(context.now()));
  }
}

/**
 * Drops ready exports until `bytes` of an export have room, and deletes their archives: each time the oldest of the account whose archives,
 * with those that are being made, are largest.
 */
export async function makeRoom(
  context: RemovalContext,
  { id: madeId, createdBy }: Pick<Export, 'id' | 'createdBy'>,
  bytes: number,
): Promise<void> {
  const others = (await storedArchives(context.db)).filter(({ id }) => id !== madeId);
  const kept = new Set([...others, { id: madeId, state: 'running', bytes, createdBy }]);
  const sum = (archives: readonly { readonly bytes: number }[]) =>
    archives.reduce((total, one) => total + one.bytes, 0);
  const sizeOf = (owner: string) => sum([...kept].filter((one) => one.createdBy === owner));
  while (sum([...kept]) > context.exports.maxBytes) {
    const ready = [...kept]
      .filter(({ state }) => state === 'ready')
      .map((one) => ({ one, size: sizeOf(one.createdBy) }));
    const largest = ready.reduce<(typeof ready)[number] | undefined>(
      (a, b) => (a && a.size >= b.size ? a : b),
      undefined,
    );
    if (largest === undefined) break;
    kept.delete(largest.one);
    const { id } = largest.one;
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
