import pg from 'pg';
import { poll } from './recovery.ts';

/** Queries for rows that violate a rule, with a sentence for the violation. */
const rules: readonly (readonly [sentence: string, sql: string])[] = [
  ['a job has not ended', `SELECT id FROM simulation.jobs WHERE state NOT IN ('FINISHED', 'FAILED')`],
  [
    'a job has failed without three lost attempts',
    `SELECT id, error_message FROM simulation.jobs job WHERE state = 'FAILED'
       AND 3 > (SELECT count(*) FROM simulation.attempts WHERE job_id = job.id AND outcome = 'LOST')`,
  ],
  [
    'a finished job has another accepted attempt in live-data',
    `SELECT job.id, job.accepted_attempt, match.accepted_attempt AS stored, match.status
       FROM simulation.jobs job LEFT JOIN live_data.matches match ON match.job_id = job.id
       WHERE job.state = 'FINISHED' AND match.accepted_attempt IS DISTINCT FROM job.accepted_attempt`,
  ],
  [
    'a failed job is not failed in live-data',
    `SELECT job.id, match.status FROM simulation.jobs job JOIN live_data.matches match ON match.job_id = job.id
       WHERE job.state = 'FAILED' AND match.status <> 'Failed'`,
  ],
  [
    // A batch with failed jobs keeps its pins, because it can be retried.
    'the bots of an ended job or batch are still pinned: its event is lost',
    `SELECT pin.holder_id FROM submission.pins pin JOIN simulation.jobs job ON pin.holder_id IN (job.id, job.batch_id)
       GROUP BY pin.holder_id HAVING every(job.state = 'FINISHED' OR job.state = 'FAILED' AND job.id = pin.holder_id)`,
  ],
  [
    // One request changes a subject once; a repeated event or a retried call must not be recorded again.
    'an audit record is doubled',
    `SELECT action, subject_id, count(*)::int AS records FROM auth.audit_records WHERE request_id <> ''
       GROUP BY request_id, action, subject_kind, subject_id, before_json, after_json HAVING count(*) > 1`,
  ],
  [
    'a user got two notices of the same kind about a job or batch',
    `SELECT user_id, kind, coalesce(job_id, batch_id) AS subject, count(*)::int AS notices FROM auth.notices
       WHERE coalesce(job_id, batch_id) IS NOT NULL GROUP BY user_id, kind, coalesce(job_id, batch_id) HAVING count(*) > 1`,
  ],
  // simulation's sweeper releases intents after five minutes.
  ['a pin intent is left', `SELECT * FROM simulation.pin_intents WHERE created_at < now() - interval '7 minutes'`],
  ...['auth', 'submission', 'simulation', 'live_data', 'leaderboard', 'pool'].map(
    (schema) => [`an event of ${schema} is not published`, `SELECT id, subject FROM ${schema}.outbox`] as const,
  ),
];

const restMs = 90_000;

/** Waits until no row violates a rule. Returns a sentence for each rule that rows still violate after 90 s, with up to three of them. */
export async function checkDatabase(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const problems: string[] = [];
    const deadline = performance.now() + restMs;
    for (const [sentence, sql] of rules) {
      let rows: object[] = [];
      const isMet = async () => {
        ({ rows } = await client.query(`${sql} LIMIT 3`));
        return rows.length === 0;
      };
      if (!(await poll(isMet, deadline))) problems.push(`${sentence}: ${JSON.stringify(rows)}`);
    }
    return problems;
  } finally {
    await client.end();
  }
}
