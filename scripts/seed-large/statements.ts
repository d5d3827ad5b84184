import { LUCK_VERSION } from '@husky/estimate/luck-match';
import { PLAY_VERSION } from '@husky/estimate/play-counters';
import type { Shape } from './played.ts';

export interface Sizes {
  readonly users: number;
  readonly jobs: number;
  readonly audits: number;
}

// Ids are hashes of numbers, so that the statements of all schemas use the same ids.
const userId = (n: string) => `md5('user ' || (${n}))::uuid`;
const batchId = (n: string) => `md5('batch ' || (${n}))::uuid`;
// A job id is a UUIDv8 that ends in 48 zero bits.
const jobId = (n: string) =>
  `(substr(md5('job ' || ${n}), 1, 8) || '-' || substr(md5('job ' || ${n}), 9, 4) || '-8' || substr(md5('job ' || ${n}), 14, 3) || '-8' || substr(md5('job ' || ${n}), 18, 3) || '-000000000000')::uuid`;
const house = `'00000000-0000-8000-8000-000000000001'::uuid`;
const fullBatchSize = 1716;

/** Returns the SQL row of the values that live-data computes for a match of this shape. */
function computedRow({ players, index, values }: Shape): string {
  const bytes = (hex: string) => `decode('${hex}', 'hex')`;
  const numbers = (list: readonly number[], type: string) => `ARRAY[${list.join(',')}]::${type}[]`;
  return `(${players}, ${bytes(index.bytesHex)}, ${numbers(index.bestNets, 'int')}, ${numbers(index.worstNets, 'int')},
    ARRAY[${index.playHex.map(bytes).join(',')}], ${bytes(values.bytesHex)}, ${numbers(values.sums, 'bigint')})`;
}

/**
 * Returns the statements that fill an empty, migrated database, in order. 34 % of the jobs belong to batches of 1,716 jobs (13 users), 10 %
 * are matches by admins, and 56 % are test runs. 1 % of the jobs have failed; one batch is paused before its last jobs.
 */
export function createStatements(sizes: Sizes, six: Shape, two: Shape): { label: string; sql: string }[] {
  const { users, jobs } = sizes;
  // A small database has one smaller batch, so that every list has content.
  const batchSize = Math.min(fullBatchSize, Math.floor(jobs * 0.34));
  const pausedJobs = Math.min(400, Math.floor(batchSize / 4));
  const inBatches = Math.floor((jobs * 0.34) / batchSize) * batchSize;
  const batches = inBatches / batchSize;
  const matches = inBatches + Math.floor(jobs * 0.1);
  const deltas = (shape: Shape) => `(ARRAY[${shape.deltas.join(',')}]::bigint[])`;
  // Kind, state and players of each job, used by the statements of all schemas.
  const plan = `
    SELECT n, ${jobId('n')} AS id, n <= ${inBatches} AS in_batch, (n - 1) / ${batchSize} + 1 AS batch,
      (n - 1) % ${batchSize} + 1 AS game,
      CASE WHEN n <= ${inBatches} THEN 'BATCH_MATCH' WHEN n <= ${matches} THEN 'MATCH' ELSE 'TEST_RUN' END AS kind,
      CASE WHEN n <= ${inBatches} AND n > ${inBatches - pausedJobs} THEN 'PAUSED' WHEN n % 100 = 7 THEN 'FAILED' ELSE 'FINISHED' END AS state,
      CASE WHEN n <= ${matches} THEN 6 ELSE 2 END AS players,
      CASE WHEN n <= ${matches} THEN ${six.hands} ELSE ${two.hands} END AS hands,
      CASE WHEN n <= ${matches} THEN decode('${six.seedHex}', 'hex') ELSE decode('${two.seedHex}', 'hex') END AS seed,
      now() - (${jobs} - n) * interval '4 minutes' AS at
    FROM generate_series(1, ${jobs}) AS n`;
  const player = `CASE WHEN p.players = 2 AND seat = 1 THEN ${house}
    WHEN p.in_batch THEN ${userId(`(p.batch * 13 + (p.game + seat * (1 + p.game % 2)) % 13) % ${users} + 1`)}
    ELSE ${userId(`(p.n * 7 + seat * 101) % ${users} + 1`)} END`;
  const owner = `CASE WHEN p.players = 2 THEN ${userId(`(p.n * 7) % ${users} + 1`)} ELSE ${userId('1 + p.n % 5')} END`;
  return [
    {
      label: `${users} users`,
      sql: `INSERT INTO auth.users (id, username, username_key, email, email_key, name, github, about, admin, verified, created_at)
        SELECT ${userId('n')}, 'Player_' || n, 'player_' || n, 'player_' || n || '@example.invalid', 'player_' || n || '@example.invalid',
          (ARRAY['Ada','Bo','Cleo','Dan','Eve'])[1 + n % 5] || ' ' || (ARRAY['North','South','East','West'])[1 + n % 4],
          'github-' || n, 'Plays poker with programs since ' || (2000 + n % 25), n <= 5, n % 20 <> 3, now() - n * interval '1 hour'
        FROM generate_series(1, ${users}) AS n`,
    },
    {
      label: `${sizes.audits} audit records`,
      sql: `INSERT INTO auth.audit_records (id, occurred_at, action, actor_id, actor_kind, subject_kind, subject_id, before_json, after_json, request_id, address)
        SELECT md5('audit ' || n)::uuid, now() - n * interval '90 seconds',
          (ARRAY['user.signed_in','user.signed_out','job.created','submission.uploaded','job.visibility_changed','user.role_changed','batch.paused'])[1 + n % 7],
          ${userId(`n % ${users} + 1`)}, 'user', (ARRAY['user','user','job','submission','job','user','batch'])[1 + n % 7],
          md5('subject ' || n % 50000), '', '{"n":' || n || '}', md5('request ' || n), '10.0.' || n % 250 || '.' || n % 199
        FROM generate_series(1, ${sizes.audits}) AS n`,
    },
    {
      label: 'submissions',
      sql: `INSERT INTO submission.blobs (hash, size_bytes, data) SELECT 'seed-blob-' || n, 900, decode(repeat(md5('' || n), 20), 'hex') FROM generate_series(1, 200) AS n;
        INSERT INTO submission.bots (hash, player_hash, requirements_file_hash, requirements_hash)
        SELECT 'seed-bot-' || n, 'seed-blob-' || (1 + n % 199), 'seed-blob-200', 'none' FROM generate_series(1, ${users * 3}) AS n;
        INSERT INTO submission.submissions (id, user_id, bot_hash, player_file_id, requirements_file_id, final, created_at)
        SELECT md5('submission ' || n)::uuid, ${userId(`n % ${users} + 1`)}, 'seed-bot-' || n, md5('player ' || n)::uuid, md5('requirements ' || n)::uuid,
          n <= ${users} AND n % 3 <> 0, now() - n * interval '10 minutes'
        FROM generate_series(1, ${users * 3}) AS n`,
    },
    {
      label: `${batches} batches`,
      sql: `INSERT INTO simulation.batches (id, batch_number, owner_id, user_ids, roster, state, paused, total_jobs, generated_jobs, num_rounds, big_blind, blind_multiplier, blind_interval, created_at)
        SELECT ${batchId('b')}, b, ${userId('1 + b % 5')}, ARRAY(SELECT ${userId(`(b * 13 + i) % ${users} + 1`)} FROM generate_series(0, 12) AS i),
          '[]', 'READY', b = ${batches}, ${batchSize}, ${batchSize}, ${six.hands}, 10, '1', 1, now() - (${jobs} - b * ${batchSize}) * interval '4 minutes'
        FROM generate_series(1, ${batches}) AS b`,
    },
    {
      label: `${jobs} jobs`,
      sql: `CREATE TEMP TABLE plan AS ${plan};
        INSERT INTO simulation.deal_sets (id, seed, created_at) SELECT md5('deal ' || n)::uuid, seed, at FROM plan;
        INSERT INTO simulation.jobs (id, job_number, kind, state, owner_id, batch_id, game_number, holder_id, deal_set_id, num_rounds, big_blind,
          blind_multiplier, blind_interval, starting_stack, rules_version, profile, limits, commitment, queue_tag, attempt, accepted_attempt,
          hands_done, hands_played, error_message, created_at, started_at, ended_at)
        SELECT id, n, kind, state, ${owner}, CASE WHEN in_batch THEN ${batchId('batch')} END, CASE WHEN in_batch THEN game END,
          CASE WHEN in_batch THEN ${batchId('batch')} ELSE id END, md5('deal ' || n)::uuid, hands, 10, '1', 1, 10000, 1, 'documented', '{}', md5('' || n), n,
          CASE WHEN state = 'PAUSED' THEN 0 ELSE 1 END, CASE WHEN state = 'FINISHED' THEN 1 END,
          CASE WHEN state = 'FINISHED' THEN hands ELSE 0 END, CASE WHEN state = 'FINISHED' THEN hands ELSE 0 END,
          CASE WHEN state = 'FAILED' THEN 'The runner was lost three times.' ELSE '' END, at,
          CASE WHEN state <> 'PAUSED' THEN at + interval '5 seconds' END, CASE WHEN state <> 'PAUSED' THEN at + interval '40 seconds' END
        FROM plan p ORDER BY n;
        INSERT INTO simulation.job_seats (job_id, seat, user_id, bot_hash, packages_hash, delta)
        SELECT p.id, seat, ${player}, 'seed-bot-1', '', CASE WHEN p.state = 'FINISHED' THEN (CASE WHEN p.players = 6 THEN ${deltas(six)} ELSE ${deltas(two)} END)[seat + 1] END
        FROM plan p CROSS JOIN LATERAL generate_series(0, p.players - 1) AS seat;
        INSERT INTO simulation.attempts (job_id, attempt, runner, outcome, claimed_at, ended_at)
        SELECT id, 1, 'runner-' || n % 4, CASE WHEN state = 'FINISHED' THEN 'FINISHED' ELSE 'LOST' END, at, at + interval '40 seconds'
        FROM plan WHERE state <> 'PAUSED';
        SELECT setval('simulation.jobs_job_number_seq', ${jobs}), setval('simulation.batches_batch_number_seq', ${Math.max(1, batches)})`,
    },
    {
      label: 'games',
      sql: `INSERT INTO live_data.matches (job_id, owner_id, batch_id, batch_number, game_number, player_ids, num_rounds, big_blind, blind_multiplier, blind_interval,
          starting_stack, rules_version, profile, seed, is_public, status, current_attempt, accepted_attempt, first_hand_at, hands, created_at)
        SELECT p.id, ${owner}, CASE WHEN p.in_batch THEN ${batchId('p.batch')} END, CASE WHEN p.in_batch THEN p.batch ELSE 0 END, CASE WHEN p.in_batch THEN p.game ELSE p.n END,
          ARRAY(SELECT ${player} FROM generate_series(0, p.players - 1) AS seat ORDER BY seat), p.hands, 10, '1', 1, 10000, 1, 'documented', p.seed,
          p.in_batch AND p.batch % 2 = 1, CASE WHEN p.state = 'FINISHED' THEN 'Finished' ELSE 'Failed' END, 1, CASE WHEN p.state = 'FINISHED' THEN 1 END,
          CASE WHEN p.state = 'FINISHED' THEN p.at + interval '6 seconds' END, CASE WHEN p.state = 'FINISHED' THEN p.hands ELSE 0 END, p.at
        FROM plan p WHERE p.state <> 'PAUSED';
        INSERT INTO live_data.attempts (job_id, attempt, started_at, hands, digest, verified_at)
        SELECT id, 1, at, CASE WHEN state = 'FINISHED' THEN hands ELSE 0 END, decode(repeat('00', 32), 'hex'), at FROM plan WHERE state <> 'PAUSED';
        INSERT INTO live_data.chunks (job_id, attempt, first_hand, hands, bytes)
        SELECT id, 1, 1, hands, CASE WHEN players = 6 THEN decode('${six.chunkHex}', 'hex') ELSE decode('${two.chunkHex}', 'hex') END FROM plan WHERE state = 'FINISHED';
        INSERT INTO live_data.series (job_id, attempt, bytes)
        SELECT id, 1, CASE WHEN players = 6 THEN decode('${six.seriesHex}', 'hex') ELSE decode('${two.seriesHex}', 'hex') END FROM plan WHERE state = 'FINISHED';
        CREATE TEMP TABLE computed (players int, bytes bytea, best int[], worst int[], play bytea[], net_values bytea, sums bigint[]);
        INSERT INTO computed VALUES ${computedRow(six)}, ${computedRow(two)};
        INSERT INTO live_data.hand_indexes (job_id, attempt, bytes, highlights, score, best_nets, worst_nets)
        SELECT id, 1, bytes, '[]', 0, best, worst FROM plan JOIN computed USING (players) WHERE state = 'FINISHED';
        INSERT INTO live_data.play_counters (job_id, attempt, version, counts)
        SELECT id, 1, ${PLAY_VERSION}, play FROM plan JOIN computed USING (players) WHERE state = 'FINISHED';
        INSERT INTO live_data.match_values (job_id, version, attempt, bytes, sums)
        SELECT id, ${LUCK_VERSION}, 1, net_values, sums FROM plan JOIN computed USING (players) WHERE state = 'FINISHED';
        INSERT INTO live_data.batch_visibility (batch_id, is_public) SELECT ${batchId('b')}, b % 2 = 1 FROM generate_series(1, ${batches}) AS b;
        INSERT INTO live_data.match_totals (is_public, status, matches, hands)
        SELECT is_public, status, count(*), sum(hands) FROM live_data.matches WHERE first_hand_at IS NOT NULL GROUP BY is_public, status;
        INSERT INTO live_data.player_totals (user_id, matches, public_matches)
        SELECT u, count(*), count(*) FILTER (WHERE is_public) FROM live_data.matches CROSS JOIN LATERAL (SELECT DISTINCT unnest(player_ids) AS u) players
        WHERE first_hand_at IS NOT NULL AND u <> ${house} GROUP BY u`,
    },
    {
      label: 'leaderboard entries',
      sql: `INSERT INTO leaderboard.entries (id, user_id, score_cents, tag, applied_jobs, created_at)
        SELECT md5('entry ' || n)::uuid, ${userId(`n % ${users} + 1`)}, (hashtext('score ' || n) % 5000000), CASE WHEN n <= ${users} THEN '2025' WHEN n <= ${users * 2} THEN 'llm-batch' ELSE 'practice-' || n % 8 END,
          CASE WHEN n <= ${users * 2} THEN 3 ELSE 0 END, now() - n * interval '1 minute'
        FROM generate_series(1, ${users * 4}) AS n;
        INSERT INTO leaderboard.applied_jobs (job_id, applied_by, applied_at) SELECT id, ${userId('1')}, at FROM plan WHERE kind = 'MATCH' AND state = 'FINISHED' AND n % 2 = 0;
        INSERT INTO leaderboard.applied_batch_jobs (job_id, batch_id, game_number) SELECT id, ${batchId('batch')}, game FROM plan WHERE in_batch AND state = 'FINISHED' AND batch % 3 = 0`,
    },
    {
      label: 'changes of the pool size',
      sql: `INSERT INTO pool.scaling_jobs (id, status, from_size, target_size, current_size, user_id, created_at, completed_at)
        SELECT md5('scaling ' || n)::uuid, 'Finished', 3, 3 + n % 5, 3 + n % 5, ${userId('1')}, now() - n * interval '1 hour', now() - n * interval '1 hour'
        FROM generate_series(1, 5000) AS n`,
    },
  ];
}
