import { trialFields, trialLimits } from '@husky/contracts/trials';
import { z } from 'zod';
import { envelope, pageQuery, time } from '../../http/schema.ts';

const { alpha, margin, maxHands, rotationHands } = trialLimits;
const bigBlinds = (what: string) => z.number().nullable().describe(`${what}, in big blinds per 100 hands`);
const hands = z.number().int().describe('all hands that were played, those of A and those of B');
const decision = {
  estimate: bigBlinds('of A less B, luck taken out'),
  low: bigBlinds('lower end of the interval at 1 - alpha, whenever one looks; null: nothing is excluded yet'),
  high: bigBlinds('its upper end'),
  hands,
};

export const trialParams = z.object({ id: z.string().max(100) });
export const trialsQuery = z.object(pageQuery(20, 100));
export const trialBody = z.strictObject({
  a: z.string().max(100).describe('id of a submission of the caller'),
  b: z.string().max(100).describe('the one that it is compared with'),
  field: z
    .enum(trialFields)
    .default('house')
    .describe("opponents: the caller's neighbours on the ladder, or house bots"),
  alpha: z.number().min(alpha.min).max(alpha.max).default(alpha.normal).describe('probability of a wrong verdict'),
  margin: z
    .number()
    .min(margin.min)
    .max(margin.max)
    .default(margin.normal)
    .describe('difference that matters, in big blinds per 100 hands'),
  max_hands: z
    .number()
    .int()
    .min(maxHands.min)
    .max(maxHands.max)
    .default(maxHands.normal)
    .describe('budget: hands of both versions, at least those of one deal set'),
  rotation_hands: z
    .number()
    .int()
    .min(rotationHands.min)
    .max(rotationHands.max)
    .default(rotationHands.normal)
    .describe('hands of each of the twelve matches of a deal set'),
});
export const createdTrial = z.object({ trial_id: z.string() }).meta({ id: 'CreatedTrial' });

const summary = {
  trial_id: z.string(),
  a: z.string(),
  b: z.string(),
  field: z.string(),
  alpha: z.number(),
  margin: z.number(),
  max_hands: z.number().int(),
  rotation_hands: z.number().int(),
  state: z.enum(['playing', 'finished', 'cancelled', 'failed']),
  problem: z.string().nullable().describe('why it failed, or what it waits for'),
  verdict: z
    .enum(['better', 'worse', 'no_difference', 'undecided'])
    .nullable()
    .describe('of A; no_difference: none above the margin; null: it has not finished'),
  ...decision,
  created_at: time,
  ended_at: time.nullable(),
  opponents: z
    .array(z.object({ username: z.string(), bot: z.string().nullable().describe('example bot; null: of a user') }))
    .describe('in the order of the seats after the first'),
};
const trialSummary = z.object(summary).meta({ id: 'TrialSummary' });
export const trialList = z
  .object({
    trials: z.array(trialSummary).describe('newest first'),
    hands_left: z.number().int().describe("of the caller's hands of trials within 24 hours"),
    ...envelope,
  })
  .meta({ id: 'Trials' });
export const trialResponse = z
  .object({
    ...summary,
    owner: z.string(),
    course: z.array(z.object(decision)).describe('after each deal set that counts'),
    void_sets: z.number().int().describe('deal sets that do not count, because a match failed or the trial had ended'),
    different: z
      .array(
        z.object({
          set: z.number().int(),
          rotation: z.number().int(),
          hand: z.number().int(),
          a: z.number().int().describe('chips won'),
          b: z.number().int(),
          game_a: z.string().describe('id of the hand'),
          game_b: z.string(),
        }),
      )
      .describe('the hands in which A and B differed most'),
    big_blind: z.number().int(),
    starting_stack: z.number().int(),
    bot_hashes: z.array(z.string()).describe('SHA-256 of the files of A, B and the opponents'),
    deal_keys: z.array(z.string()).describe('what the deal sets of the course were dealt from, for husky trial --like'),
  })
  .meta({ id: 'Trial' });
