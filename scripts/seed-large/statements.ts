import { LUCK_VERSION } from '@husky/estimate/luck-match';
import { PLAY_VERSION } from '@husky/estimate/play-counters';
import type { Shape } from './played.ts';

export interface Sizes {
  /** Even, so that the scores of each board sum to zero. */
  readonly users: number;
  readonly jobs: number;
  readonly audits: number;
  /** Whether the last batch is paused before its last jobs. If an admin continued it, its jobs would fail, because the bots have no code. */
  readonly pausedBatch: boolean;
}

/** Numbers of the first new user, job and batch. */
export interface First {
  readonly user: number;
  readonly job: number;
  readonly batch: number;
}

// Ids are hashes of numbers, so that the statements of all schemas use the same ids.
const userId = (n: string) => `md5('user ' || (${n}))::uuid`;
const batchId = (n: string) => `md5('batch ' || (${n}))::uuid`;
// A job id is a UUIDv8 that ends in 48 zero bits.
const jobId = (n: string) =>
  `(substr(md5('job ' || ${n}), 1, 8) || '-' || substr(md5('job ' || ${n}), 9, 4) || '-8' || substr(md5('job ' || ${n}), 14, 3) || '-8' || substr(md5('job ' || ${n}), 18, 3) || '-000000000000')::uuid`;
const house = `'00000000-0000-8000-8000-000000000001'::uuid`;
const fullBatchSize = 1716;

/** A small database has one smaller batch, so that every list has content. */
const batchSizeOf = (jobs: number) => Math.min(fullBatchSize, Math.floor(jobs * 0.34));

/** Returns the number of batches among this number of jobs. */
export const countBatches = (jobs: number): number => Math.floor((jobs * 0.34) / batchSizeOf(jobs));

/** Returns the SQL row of the values that live-data computes for a match of this shape. */
function computedRow({ players, index, values }: Shape): string {
  const bytes = (hex: string) => `decode('${hex}', 'hex')`;
  const numbers = (list: readonly number[], type: string) => `ARRAY[${list.join(',')}]::${type}[]`;
  return `(${players}, ${bytes(index.bytesHex)}, ${numbers(index.bestNets, 'int')}, ${numbers(index.worstNets, 'int')},
    ARRAY[${index.playHex.map(bytes).join(',')}], ${bytes(values.bytesHex)}, ${numbers(values.sums, 'bigint')})`;
}

/**
 * Returns the statements that add rows to a migrated database, in order and for one transaction. 34 % of the jobs belong to batches of 1,716 jobs (13 users), 10 %
 * are matches by admins, and 56 % are test runs. 1 % of the jobs have failed. The first five users of a database are admins.
 */
export function createStatements(sizes: Sizes, first: First, six: Shape, two: Shape): { label: string; sql: string }[] {
  const { users, jobs } = sizes;
  const batchSize = batchSizeOf(jobs);
  const pausedJobs = sizes.pausedBatch ? Math.min(400, Math.floor(batchSize / 4)) : 0;
  const batches = countBatches(jobs);
  const inBatches = batches * batchSize;
  const matches = inBatches + Math.floor(jobs * 0.1);
  const lastBatch = first.batch + batches - 1;
  const someUser = (n: string) => userId(`${first.user} + (${n}) % ${users}`);
  const organiser = (n: string) => userId(`${first.user} + (${n}) % 5`);
  const firstBot = 3 * (first.user - 1) + 1;
  // Numbers of `count` rows: i from 1, n from `from`.
  const numbers = (from: number, count: number) =>
    `(SELECT i, i + ${from - 1} AS n FROM generate_series(1, ${count}) AS i) AS numbers`;
  const deltas = (shape: Shape) => `(ARRAY[${shape.deltas.join(',')}]::bigint[])`;
  // Kind, state and players of each job, used by the statements of all schemas.
  const plan = `
    SELECT n, ${jobId('n')} AS id, i <= ${inBatches} AS in_batch, (i - 1) / ${batchSize} + ${first.batch} AS batch,
      (i - 1) % ${batchSize} + 1 AS game,
      CASE WHEN i <= ${inBatches} THEN 'BATCH_MATCH' WHEN i <= ${matches} THEN 'MATCH' ELSE 'TEST_RUN' END AS kind,
      CASE WHEN i <= ${inBatches} AND i > ${inBatches - pausedJobs} THEN 'PAUSED' WHEN i % 100 = 7 THEN 'FAILED' ELSE 'FINISHED' END AS state,
      CASE WHEN i <= ${matches} THEN 6 ELSE 2 END AS players,
      CASE WHEN i <= ${matches} THEN ${six.hands} ELSE ${two.hands} END AS hands,
      CASE WHEN i <= ${matches} THEN decode('${six.seedHex}', 'hex') ELSE decode('${two.seedHex}', 'hex') END AS seed,
      now() - (${jobs} - i) * interval '4 minutes' AS at
    FROM ${numbers(first.job, jobs)}`;
  const player = `CASE WHEN p.players = 2 AND seat = 1 THEN ${house}
    WHEN p.in_batch THEN ${someUser('p.batch * 13 + (p.game + seat * (1 + p.game % 2)) % 13')}
    ELSE ${someUser('p.n * 7 + seat * 101')} END`;
  const owner = `CASE WHEN p.players = 2 THEN ${someUser('p.n * 7')} ELSE ${organiser('p.n')} END`;
  return [
    {
      label: `${users} users`,
      sql: `INSERT INTO auth.users (id, username, username_key, email, email_key, name, github, about, admin, verified, created_at)
        SELECT ${userId('n')}, 'Player_' || n, 'player_' || n, 'player_' || n || '@example.invalid', 'player_' || n || '@example.invalid',
          (ARRAY['Ada','Bo','Cleo','Dan','Eve'])[1 + n % 5] || ' ' || (ARRAY['North','South','East','West'])[1 + n % 4],
          'github-' || n, 'Plays poker with programs since ' || (2000 + n % 25), n <= 5, n % 20 <> 3, now() - i * interval '1 hour'
        FROM ${numbers(first.user, users)}`,
    },
    {
      label: `${sizes.audits} audit records`,
      sql: `INSERT INTO auth.audit_records (id, occurred_at, action, actor_id, actor_kind, subject_kind, subject_id, before_json, after_json, request_id, address)
        SELECT md5('audit ' || ${first.job} || ' ' || n)::uuid, now() - n * interval '90 seconds',
          (ARRAY['user.signed_in','user.signed_out','job.created','submission.uploaded','job.visibility_changed','user.role_changed','batch.paused'])[1 + n % 7],
          ${someUser('n')}, 'user', (ARRAY['user','user','job','submission','job','user','batch'])[1 + n % 7],
          md5('subject ' || n % 50000), '', '{"n":' || n || '}', md5('request ' || n), '10.0.' || n % 250 || '.' || n % 199
        FROM generate_series(1, ${sizes.audits}) AS n`,
    },
    {
      label: 'submissions',
      sql: `INSERT INTO submission.blobs (hash, size_bytes, data) SELECT 'seed-blob-' || n, 900, decode(repeat(md5('' || n), 20), 'hex') FROM generate_series(1, 200) AS n
        ON CONFLICT DO NOTHING;
        INSERT INTO submission.bots (hash, player_hash, requirements_file_hash, requirements_hash)
        SELECT 'seed-bot-' || n, 'seed-blob-' || (1 + n % 199), 'seed-blob-200', 'none' FROM ${numbers(firstBot, users * 3)};
        INSERT INTO submission.submissions (id, user_id, bot_hash, player_file_id, requirements_file_id, final, created_at)
        SELECT md5('submission ' || n)::uuid, ${someUser('i')}, 'seed-bot-' || n, md5('player ' || n)::uuid, md5('requirements ' || n)::uuid,
          i <= ${users} AND i % 3 <> 0, now() - i * interval '10 minutes'
        FROM ${numbers(firstBot, users * 3)}`,
    },
    {
      label: `${batches} batches`,
      sql: `INSERT INTO simulation.batches (id, batch_number, owner_id, user_ids, roster, state, paused, total_jobs, generated_jobs, num_rounds, big_blind, blind_multiplier, blind_interval, created_at)
        SELECT ${batchId('n')}, n, ${organiser('n')}, ARRAY(SELECT ${someUser('n * 13 + seat')} FROM generate_series(0, 12) AS seat),
          '[]', 'READY', ${sizes.pausedBatch} AND n = ${lastBatch}, ${batchSize}, ${batchSize}, ${six.hands}, 10, '1', 1, now() - (${jobs} - i * ${batchSize}) * interval '4 minutes'
        FROM ${numbers(first.batch, batches)}`,
    },
    {
      label: `${jobs} jobs`,
      sql: `CREATE TEMP TABLE plan ON COMMIT DROP AS ${plan};
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
        SELECT p.id, seat, ${player}, 'seed-bot-${firstBot}', '', CASE WHEN p.state = 'FINISHED' THEN (CASE WHEN p.players = 6 THEN ${deltas(six)} ELSE ${deltas(two)} END)[seat + 1] END
        FROM plan p CROSS JOIN LATERAL generate_series(0, p.players - 1) AS seat;
        INSERT INTO simulation.attempts (job_id, attempt, runner, outcome, claimed_at, ended_at)
        SELECT id, 1, 'runner-' || n % 4, CASE WHEN state = 'FINISHED' THEN 'FINISHED' ELSE 'LOST' END, at, at + interval '40 seconds'
        FROM plan WHERE state <> 'PAUSED'`,
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
        CREATE TEMP TABLE computed (players int, bytes bytea, best int[], worst int[], play bytea[], net_values bytea, sums bigint[]) ON COMMIT DROP;
        INSERT INTO computed VALUES ${computedRow(six)}, ${computedRow(two)};
        INSERT INTO live_data.hand_indexes (job_id, attempt, bytes, highlights, score, best_nets, worst_nets)
        SELECT id, 1, bytes, '[]', 0, best, worst FROM plan JOIN computed USING (players) WHERE state = 'FINISHED';
        INSERT INTO live_data.play_counters (job_id, attempt, version, counts)
        SELECT id, 1, ${PLAY_VERSION}, play FROM plan JOIN computed USING (players) WHERE state = 'FINISHED';
        INSERT INTO live_data.match_values (job_id, version, attempt, bytes, sums)
        SELECT id, ${LUCK_VERSION}, 1, net_values, sums FROM plan JOIN computed USING (players) WHERE state = 'FINISHED';
        INSERT INTO live_data.batch_visibility (batch_id, is_public) SELECT ${batchId('n')}, n % 2 = 1 FROM ${numbers(first.batch, batches)};
        INSERT INTO live_data.match_totals AS total (is_public, status, matches, hands)
        SELECT match.is_public, match.status, count(*), sum(match.hands) FROM live_data.matches match JOIN plan ON plan.id = match.job_id
        WHERE match.first_hand_at IS NOT NULL GROUP BY match.is_public, match.status
        ON CONFLICT (is_public, status) DO UPDATE SET matches = total.matches + excluded.matches, hands = total.hands + excluded.hands;
        INSERT INTO live_data.player_totals AS total (user_id, matches, public_matches)
        SELECT u, count(*), count(*) FILTER (WHERE match.is_public) FROM live_data.matches match JOIN plan ON plan.id = match.job_id
          CROSS JOIN LATERAL (SELECT DISTINCT unnest(match.player_ids) AS u) players
        WHERE match.first_hand_at IS NOT NULL AND u <> ${house} GROUP BY u
        ON CONFLICT (user_id) DO UPDATE SET matches = total.matches + excluded.matches, public_matches = total.public_matches + excluded.public_matches`,
    },
    {
      label: 'leaderboard entries',
      sql: `INSERT INTO leaderboard.entries (id, user_id, score_cents, tag, applied_jobs, created_at)
        SELECT md5('entry ' || n)::uuid, ${someUser('i')}, (CASE WHEN i % 2 = 0 THEN -1 ELSE 1 END) * (hashtext('score ' || (n + 1) / 2) % 5000000),
          CASE WHEN i <= ${users} THEN '2025' WHEN i <= ${users * 2} THEN 'llm-batch' ELSE 'practice-' || (i + 1) / 2 % 8 END,
          CASE WHEN i <= ${users * 2} THEN 3 ELSE 0 END, now() - i * interval '1 minute'
        FROM ${numbers(4 * (first.user - 1) + 1, users * 4)};
        INSERT INTO leaderboard.applied_jobs (job_id, applied_by, applied_at) SELECT id, ${organiser('0')}, at FROM plan WHERE kind = 'MATCH' AND state = 'FINISHED' AND n % 2 = 0;
        INSERT INTO leaderboard.applied_batch_jobs (job_id, batch_id, game_number) SELECT id, ${batchId('batch')}, game FROM plan WHERE in_batch AND state = 'FINISHED' AND batch % 3 = 0`,
    },
    {
      label: 'changes of the pool size',
      sql: `INSERT INTO pool.scaling_jobs (id, status, from_size, target_size, current_size, user_id, created_at, completed_at)
        SELECT md5('scaling ' || n)::uuid, 'Finished', 3, 3 + n % 5, 3 + n % 5, ${organiser('0')}, now() - n * interval '1 hour', now() - n * interval '1 hour'
        FROM generate_series(1, 5000) AS n
        ON CONFLICT DO NOTHING`,
    },
  ];
}
