import type pg from 'pg';
import type { JobKind, JobState } from '../domain/job.ts';

/** What a change of a job needs to know of it, read under its lock. */
export interface LockedJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly owner_id: string;
  readonly batch_id: string | null;
  readonly holder_id: string;
  readonly attempt: number;
  readonly runner: string | null;
  readonly seats_running: boolean;
  readonly suspect_losses: number;
  readonly other_losses: number;
  readonly accepted_attempt: number | null;
  readonly held: boolean;
  readonly batch_paused: boolean;
  readonly batch_held: boolean;
}

/**
 * Locks a job, and before it its batch: whatever changes a batch as a whole takes the same order. Undefined when there is
 * no such job.
 */
export async function lockJob(client: pg.ClientBase, jobId: string): Promise<LockedJob | undefined> {
  const found = await client.query<{ batch_id: string | null }>('SELECT batch_id FROM jobs WHERE id = $1', [jobId]);
  const batchId = found.rows[0]?.batch_id;
  let paused = false;
  let batchHeld = false;
  if (batchId) {
    const batch = await client.query<{ paused: boolean; held: boolean }>(
      'SELECT paused, held FROM batches WHERE id = $1 FOR UPDATE',
      [batchId],
    );
    paused = batch.rows[0]?.paused ?? false;
    batchHeld = batch.rows[0]?.held ?? false;
  }
  const { rows } = await client.query<Omit<LockedJob, 'batch_paused' | 'batch_held'>>(
    `SELECT id, kind, state, owner_id, batch_id, holder_id, attempt, runner, seats_running, suspect_losses, other_losses,
       accepted_attempt, held
     FROM jobs WHERE id = $1 FOR UPDATE`,
    [jobId],
  );
  return rows[0] && { ...rows[0], batch_paused: paused, batch_held: batchHeld };
}
