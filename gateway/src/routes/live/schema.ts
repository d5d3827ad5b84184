import { recordKinds } from '@husky/match/commitment';
import { stacksModes } from '@husky/match/stacks';
import { z } from 'zod';
import { envelope, pageQuery, queryInteger, time } from '../../http/schema.ts';
import { signedHead } from '../../signatures.ts';

export const matchItem = z
  .object({
    job_id: z.string(),
    batch_id: z.string().nullable(),
    players: z.array(z.string()),
    first_game_created_at: time.nullable(),
    is_public: z.boolean(),
    status: z.string(),
    batch_number: z.number().int().nullable().describe("batch_number of the batch's metadata, else its own number"),
    batch_is_public: z.boolean().describe('whether /batches/{batch_number} shows its batch to everybody'),
    game_number: z.number().int().describe('of the match in its batch; without a batch, of its job'),
    hands: z.number().int(),
    stacks: z.enum(stacksModes).describe('reset: every hand started with the starting stack, and results add up'),
    winner: z
      .string()
      .nullable()
      .describe('the player with the highest delta, while the match runs its leader; null: nobody, or several'),
    winner_delta: z.number().int().nullable(),
    end_reason: z.string().nullable().describe('why it ended early or failed; null: all hands were played, or it runs'),
    ended_at: time.nullable().describe('null: it runs, or it failed'),
  })
  .meta({ id: 'GameJob' });

const nowItem = matchItem
  .omit({ is_public: true, first_game_created_at: true, hands: true })
  .extend({
    hands_done: z.number().int(),
    num_rounds: z.number().int().describe('planned hands; a match ends earlier when one player holds all chips'),
    hands_per_second: z.number().describe('mean since the match began; 0 when it has ended'),
    watchers: z.number().int().describe('open event streams of the match: tabs, not people; up to 6 s old'),
    started_at: time.nullable(),
  })
  .meta({ id: 'MatchNow' });
export const nowResponse = z.object({
  running: z.array(nowItem).describe('public matches in play, newest first, at most 50'),
  finished: z.array(nowItem).describe('the last public matches that have ended, newest first, at most 6'),
});

export const adminMatchItem = matchItem
  .extend({
    tournaments_2025_added: z.boolean(),
    tournaments_2025_allowed: z.boolean().describe('whether the 2025 leaderboard would take it'),
  })
  .meta({ id: 'AdminGameJob' });

const totals = {
  total_games: z.number().int().describe('hands of the matches that the caller may see'),
  total_players: z.number().int().describe('users who play in them'),
  recent_count: z.number().int().describe('of total_count, matches whose first hand was played within 24 hours'),
};
export const matchPage = z.object({ jobs: z.array(matchItem), ...envelope, ...totals });
export const adminMatchPage = z.object({ jobs: z.array(adminMatchItem), ...envelope, ...totals });

const gameItem = z.object({ game_id: z.string(), game_uuid: z.string() }).meta({ id: 'GameItem' });
export const gameList = z.object({ games: z.array(gameItem) });
export const gamePage = z.object({ games: z.array(gameItem), ...envelope });

const statusFilter = {
  status: z.enum(['', 'Running', 'Finished']).default(''),
  order: z
    .enum(['newest', 'oldest', 'best'])
    .default('newest')
    .describe('best: of the last seven days, the largest swing of equity times pot first'),
};
export const jobIdsQuery = z.object({
  ...pageQuery(100),
  ...statusFilter,
  status: z.enum(['', 'Running', 'Finished', 'Failed']).default(''),
  visibility: z.enum(['', 'public', 'private']).default(''),
  q: z.string().max(100).default('').describe('a username, or the beginning of a job id'),
});
export const publicListQuery = z.object(pageQuery(1000));
export const publicPageQuery = z.object({
  ...pageQuery(500),
  ...statusFilter,
  q: z.string().max(100).default('').describe('a username, or the beginning of a job id'),
  player: z.string().max(64).default('').describe('a username'),
  opponent: z.string().max(64).default('').describe('a username: matches that this user plays too'),
  batch_id: z.string().max(64).default(''),
  batch: z
    .string()
    .regex(/^\d{1,9}$/, 'must be the number of a batch')
    .transform(Number)
    .optional()
    .meta({
      type: 'integer',
      minimum: 0,
      maximum: 999_999_999,
      pattern: undefined,
      description: 'number of a public batch',
    }),
});
export const gamesQuery = z.object(pageQuery(100));

export const gameParams = z.object({ id: z.string().min(1).max(64) });
export const botParams = z.object({ id: z.string().min(1).max(64), username: z.string().min(1).max(64) });
export const gameResponse = z
  .object({
    message: z.string(),
    game_id: z.string(),
    game_uuid: z.string(),
    job_id: z.string(),
    game_data: z.looseObject({}).describe("One hand's log: rounds, players, money, cards (docs/bots.md)"),
  })
  .meta({ id: 'Game' });
export const performanceResponse = z
  .record(z.string(), z.array(z.number()))
  .describe("username -> that player's cumulative delta after each hand");
const chips = z.number().describe('chips, two decimals');
export const luckResponse = z
  .object({
    job_id: z.string(),
    state: z.enum(['ready', 'computing']).describe('computing: shortly after the match; ask again'),
    version: z.number().int().nullable().describe('of the estimator (docs/methodology.md); null while computing'),
    players: z.array(
      z.object({
        username: z.string(),
        raw: z.array(z.number().int()).describe('chips won since the start, after each hand'),
        adjusted: z.array(chips).describe('chips won without the value of the cards dealt, after each hand'),
        luck: z.array(chips).describe('raw less adjusted, after each hand'),
      }),
    ),
  })
  .meta({ id: 'MatchLuck' });
const sha256 = z.string().describe('hex SHA-256');
export const commitmentRecord = z
  .object({
    number: z.number().int().describe('from 1, without gaps'),
    kind: z.enum(recordKinds).describe('what it is of; not hashed'),
    job_hash: sha256.describe("hex SHA-256 of the match's id; of another kind: of the kind, a colon and the id"),
    commitment: sha256,
    time: time.describe('when it was made: RFC 3339 in UTC with milliseconds'),
    previous: sha256.describe('hash of the record before; 64 zeros in the first one'),
    hash: sha256.describe('over the others except kind, as in docs/fairness.md'),
    seeds: z
      .object({ list: z.number().int(), first: z.number().int(), count: z.number().int() })
      .optional()
      .describe('of a plan: the seeds of a list that it takes, from place first on'),
  })
  .meta({ id: 'CommitmentRecord' });
export const commitmentResponse = z.object({
  job_id: z.string(),
  commitment: sha256,
  public_input: z.string().describe('the JSON that is hashed, without its key seed'),
  committed_at: time.nullable(),
  record: commitmentRecord.nullable().describe('null: a match that was played before the chain began'),
  digest: sha256.nullable().describe('over all hands with times and faults; null until the match is finished'),
});
export const commitmentsQuery = z.object({
  after: queryInteger(0, 999_999_999, 0).describe('number of the last record that the caller has'),
  limit: queryInteger(1, 1000, 100),
});
export const commitmentList = z.object({
  commitments: z.array(commitmentRecord),
  head: z
    .object({ number: z.number().int(), hash: sha256 })
    .nullable()
    .describe('the newest record; null while there is none'),
  signed_head: signedHead,
  check: z
    .object({
      state: z.enum(['verified', 'broken']).describe('broken: no commitment is made'),
      verified_number: z.number().int().describe('the newest record that a check has found intact'),
      verified_at: time.nullable(),
      checked_at: time,
      problem: z.string().nullable(),
    })
    .nullable()
    .describe("the platform's own last check of the chain; null: not made yet"),
});
const seedProof = z
  .object({ path: z.array(sha256).describe('from the leaf up, as in RFC 9162'), record: commitmentRecord })
  .describe('shows that the seed stands in its list, whose record is in the chain');
export const repetitionCounts = z.object({
  pending: z.number().int().describe('drawn and not played again yet'),
  equal: z.number().int().describe('every act of every hand was the same'),
  different: z.number().int().describe('a bot used what does not repeat (docs/bots.md), or reached a limit'),
  different_by_limit: z.number().int().describe('of these: a limit of time or memory, which depends on the machine'),
  not_compared: z
    .number()
    .int()
    .describe('the match, its hands or the files of a bot were deleted, or runners were lost'),
  last_drawn_at: time.nullable(),
});
export const signedHeadResponse = z
  .object({
    number: z.number().int().describe('of the newest record; 0: none'),
    hash: sha256.nullable(),
    signed_head: signedHead,
    keys: z
      .array(
        z.object({
          key: z.string().describe('NAME+ID+KEY as in c2sp.org/signed-note'),
          made_at: time,
          change: z.string().nullable().describe('note by which the key before names this one; null: the first key'),
        }),
      )
      .describe('keys of the platform by age; the last one signs'),
  })
  .meta({ id: 'SignedHead' });
export const planResponse = z
  .object({
    id: z.string().describe('of the batch, the deal set or the match'),
    plan: z.string().nullable().describe('the JSON that is hashed; null: there is none'),
    record: commitmentRecord.nullable(),
    names: z
      .array(z.object({ user_id: z.string(), name: z.string(), salt: z.string() }))
      .describe('names at that time and the salts of their hashes; without those of deleted accounts'),
    note: z.string().nullable().describe('why there is no plan'),
  })
  .meta({ id: 'Plan' });

export const seedResponse = z.object({
  job_id: z.string(),
  seed: z.string().describe('hex, 32 bytes'),
  commitment: sha256.describe('hex SHA-256, public before the first hand'),
  commitment_input: z.string().describe('what was hashed'),
  seed_proof: seedProof.nullable().describe('null: the seed was drawn alone, as in test runs'),
});
const printed = z.string().describe('what the bot printed, with control characters as \\x1b or \\u202e');
const notes = z
  .array(z.string())
  .describe("the platform's notes: hand and reason of each fault, at most the first 50. The bot cannot write here");

export const botLogResponse = z.object({
  job_id: z.string(),
  username: z.string(),
  log: printed,
  notes,
  verdict: z.string(),
  cpu_ms: z.number(),
  peak_memory_kib: z.number(),
  faults: z.number().int(),
});

const decisionGroup = z.object({
  kind: z.string().describe('kind of fault, or adjusted'),
  text: z.string(),
  count: z.number().int(),
  first_hand: z.number().int(),
  first_step: z.number().int().describe('of the replay of the first such hand, from 1'),
  last_hand: z.number().int(),
  first_game_id: z.string().describe('for the replay of the first such hand'),
});
export const botReportResponse = z
  .object({
    job_id: z.string(),
    username: z.string(),
    hands: z.number().int(),
    decisions: z.number().int(),
    faults: z.array(decisionGroup).describe('failed decisions, most frequent first; at most 50 groups'),
    fault_groups: z.number().int().describe('how many groups there are'),
    failed_calls: z
      .array(
        z.object({
          method: z.string(),
          text: z.string(),
          count: z.number().int(),
          first_hand: z.number().int(),
          first_game_id: z.string().nullable(),
        }),
      )
      .describe('calls of methods other than get_action that raised an exception'),
    adjusted: z.array(decisionGroup).describe('decisions that the platform changed, by reason; at most 50 groups'),
    adjusted_groups: z.number().int(),
    stopped: z
      .object({ kind: z.string(), text: z.string() })
      .nullable()
      .describe("what ended the bot's play before the match's end; kind startup: it never started"),
    worst_hand: z
      .object({ hand: z.number().int(), game_id: z.string(), delta: z.number().int() })
      .nullable()
      .describe('the hand that lost most; null: no hand lost chips'),
    times: z
      .object({
        count: z.number().int(),
        p50_ms: z.number(),
        p95_ms: z.number(),
        max_ms: z.number(),
        histogram: z.array(z.object({ up_to_ms: z.number().nullable(), count: z.number().int() })),
      })
      .nullable()
      .describe('wall time from request to reply; null: not measured'),
    limits: z
      .object({ decision_ms: z.number(), bank_ms: z.number(), free_ms: z.number() })
      .nullable()
      .describe(
        'processor time: of a decision, of all decisions beyond free_ms each; three times as much on the clock',
      ),
    bank_ms: z.number().nullable(),
    bank_used_ms: z.number().nullable(),
    cpu_ms: z.number(),
    peak_memory_kib: z.number(),
    verdict: z.string(),
    log: printed,
    notes,
  })
  .meta({ id: 'BotReport' });
