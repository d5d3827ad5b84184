import { z } from 'zod';
import { time } from '../../http/schema.ts';
import { matchCounts } from '../../match-counts.ts';
import { anytimeIntervals } from '../llm/schema.ts';

const estimate = z
  .object({
    chips_per_100: z.number().describe('chips won for each 100 hands at a table'),
    low: z.number().describe('lower end of the 95 % interval'),
    high: z.number(),
    standard_error: z.number(),
    bb_per_100: z.number().describe('the same in big blinds of the hand'),
    bb_low: z.number(),
    bb_high: z.number(),
    hands: z.number().int().describe('hands that the estimate is computed from'),
  })
  .meta({ id: 'Estimate' });

const estimator = z.enum(['raw', 'adjusted', 'duplicate', 'duplicate_adjusted']);

/** Returns the schema of an object with a value for each estimator. */
function byEstimator<Value extends z.ZodType>(value: Value) {
  return z.object({ raw: value, adjusted: value, duplicate: value, duplicate_adjusted: value });
}

const nested = z.object({
  mean: z.number().describe('for 100 hands, over the bots of the model'),
  bots_low: z.number().nullable().describe('95 % interval for all bots that the model would write; null: one bot'),
  bots_high: z.number().nullable(),
  hands_low: z.number().describe('95 % interval for these very bots'),
  hands_high: z.number(),
  between_bots: z.number().nullable().describe('standard deviation between the bots, without that of the hands'),
});

export const standingsQuery = z.object({
  batch: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a batch')
    .optional()
    .meta({ description: 'number of a batch; without batch and tag: all public matches' }),
  tag: z.string().trim().min(1).max(64).optional().describe('tag of a board: the public matches behind its entries'),
});

export const standingsResponse = z
  .object({
    scope: z.object({ batch_number: z.number().int().nullable(), tag: z.string().nullable() }),
    state: z
      .enum(['ready', 'computing', 'empty'])
      .describe('computing: the values are of fewer matches or lack luck; ask again. empty: no finished match'),
    progress: z.object({ matches: z.number().int(), of: z.number().int() }),
    methodology_version: z.number().int().describe('version of the methods in docs/methodology.md'),
    computed_at: time.nullable(),
    mode: z.enum(['classic', 'duplicate', 'mixed']),
    matches: z.number().int(),
    hands: z.number().int(),
    deals: z.number().int().describe('deals that were played in all rotations, each counted once'),
    players: z
      .array(
        z.object({
          username: z.string(),
          hands: z.number().int(),
          matches: z.number().int(),
          deals: z.number().int(),
          estimates: byEstimator(estimate.nullable()),
          groups: byEstimator(z.number().int().nullable()).describe('players with equal numbers are tied'),
          ranks: byEstimator(z.object({ best: z.number().int(), worst: z.number().int() }).nullable()).describe(
            'places that the data leave to the player; those of all players hold together with 95 %',
          ),
          rating: z
            .object({ value: z.number(), low: z.number(), high: z.number() })
            .nullable()
            .describe('Plackett-Luce over finishing orders; 1500 is the mean, 400 points are ten times the strength'),
        }),
      )
      .describe('best first by the estimator of pairs'),
    models: z
      .array(
        z.object({
          name: z.string(),
          version: z.string().nullable(),
          usernames: z.array(z.string()),
          estimates: byEstimator(z.object({ chips: nested, bb: nested }).nullable()),
        }),
      )
      .describe('of a batch or a tag: players by the models that the metadata of its batches names for them'),
    pairs: z.object({
      estimator: estimator.describe('the one with the least luck that covers all matches'),
      usernames: z.array(z.string()),
      better: z.array(z.array(z.number().nullable())).describe('probability that the row is better than the column'),
      hands_needed: z
        .array(z.array(z.number().int().nullable()))
        .describe(
          'hands that both must still play until they are told apart, all pairs compared at once; 0: they are; null: unknown',
        ),
    }),
    heads_up: z
      .array(
        z.object({
          username: z.string(),
          opponent: z.string(),
          hands: z.number().int(),
          chips_per_100: z.number(),
          low: z.number().nullable().describe('null: fewer than two independent matches'),
          high: z.number().nullable(),
        }),
      )
      .describe('what the user won from the opponent at tables of two'),
    rating_check: z
      .object({ pairs: z.number().int(), expected: z.number(), correct: z.number(), standard_error: z.number() })
      .nullable()
      .describe(
        'order of pairs in matches that the ratings were not fitted to: share expected to be predicted, and share that was; null: fewer than 20 matches',
      ),
    anytime: anytimeIntervals
      .nullable()
      .describe('of a batch that its stopping rule has ended: intervals that hold although results ended it'),
    counts: matchCounts,
    notes: z.array(z.string()).describe('what could not be computed, and why; which matches are not counted'),
  })
  .meta({ id: 'Standings' });

export type StandingsBody = z.output<typeof standingsResponse>;
