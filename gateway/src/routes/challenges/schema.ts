import { z } from 'zod';
import { envelope, pageQuery, time } from '../../http/schema.ts';

const format = z
  .enum(['set', 'classic'])
  .describe('set: six rotations of one deal set, stacks reset; classic: one match');
const fill = z
  .enum(['house', 'neighbours'])
  .describe(
    "who fills the seats that remain: house bots, or the challenger's neighbours on the ladder who accept all challenges",
  );
const state = z
  .enum(['waiting', 'queued', 'playing', 'finished', 'failed', 'declined', 'expired', 'ended'])
  .describe('waiting: for answers; ended: without matches, for the reason');

export const challengeBody = z.strictObject({
  opponents: z
    .array(z.string().min(1).max(64))
    .min(1, 'must name one to five players')
    .max(5, 'must name one to five players'),
  format,
  num_rounds: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .describe('hands of a match (at most 1,000), or of each rotation of a set (at most 200)'),
  fill: fill.default('house'),
});
export const challengesQuery = z.object(pageQuery(20, 100));
export const challengeParams = z.object({ id: z.string().min(1).max(64) });

export const challenge = z
  .object({
    challenge_id: z.string(),
    job_ids: z.array(z.string()).describe('its matches; empty until all have accepted'),
    state,
    reason: z.string().nullable().describe('why it has no matches'),
    format,
    num_rounds: z.number().int(),
    fill,
    challenger: z.string(),
    players: z
      .array(
        z.object({
          username: z.string(),
          role: z.enum(['challenger', 'opponent', 'fill']),
          answer: z.enum(['waiting', 'accepted', 'declined']),
          publishes: z.boolean().describe('agrees that its matches become public'),
        }),
      )
      .describe('the challenger first; house bots are in the matches only'),
    created_at: time,
    expires_at: time.describe('it waits for answers until then'),
    published_at: time.nullable().describe('null: its matches are private'),
  })
  .meta({ id: 'Challenge' });
export const challengeList = z
  .object({ challenges: z.array(challenge).describe('sent and received, the newest first'), ...envelope })
  .meta({ id: 'Challenges' });

export const choice = z
  .strictObject({ choice: z.enum(['accept', 'ask', 'never']).describe('what happens with challenges of others') })
  .meta({ id: 'ChallengeChoice' });
