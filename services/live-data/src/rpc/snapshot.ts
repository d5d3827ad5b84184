import { createHash } from 'node:crypto';
import type { Snapshot } from '@husky/contracts/types/live/v1/Snapshot';
import { METHODOLOGY_VERSION } from '@husky/estimate/standings';
import { sql } from '@husky/runtime/database/sql';
import { isLowerCaseUuid } from '@husky/runtime/process/uuid';
import type { Context, LiveDataHandlers } from '../context.ts';
import { batchNotFound, jobNotFound } from '../domain/refusals.ts';
import { publicBatches } from '../store/batch-visibility.ts';

interface Row {
  readonly jobId: string;
  readonly hands: number;
  readonly digest: string;
  readonly startedAt: Date;
}

/** Returns the number, hands and digest of the finished public matches of a batch, or of one match. */
export function getSnapshot({ db }: Context): LiveDataHandlers['getSnapshot'] {
  return async ({ batchId, jobId }): Promise<Snapshot> => {
    const ofBatch = batchId !== '';
    const notFound = ofBatch ? batchNotFound() : jobNotFound();
    if (!isLowerCaseUuid(ofBatch ? batchId : jobId)) throw notFound;
    if (ofBatch && (await publicBatches(db.pool, [batchId])).length === 0) throw notFound;
    const { rows } = await db.pool.query<Row>(
      sql`SELECT m.job_id::text AS "jobId", a.hands, encode(a.digest, 'hex') AS digest, a.started_at AS "startedAt"
        FROM matches m JOIN attempts a ON a.job_id = m.job_id AND a.attempt = m.accepted_attempt
        WHERE m.status = 'Finished' AND m.is_public AND ${ofBatch ? sql`m.batch_id = ${batchId}` : sql`m.job_id = ${jobId}`}
        ORDER BY m.job_id`,
    );
    if (rows.length === 0) throw notFound;
    const hash = createHash('sha256');
    for (const row of rows) hash.update(`${row.jobId} ${row.digest}\n`);
    return {
      matches: rows.length,
      hands: rows.reduce((sum, { hands }) => sum + hands, 0),
      digest: hash.digest('hex'),
      newestMatchAt: new Date(Math.max(...rows.map(({ startedAt }) => startedAt.getTime()))).toISOString(),
      methodologyVersion: METHODOLOGY_VERSION,
    };
  };
}
