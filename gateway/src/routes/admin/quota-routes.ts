import type { Quota__Output } from '@husky/contracts/types/simulation/v1/Quota';
import type { UserQuota__Output } from '@husky/contracts/types/simulation/v1/UserQuota';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { route } from '../../http/route.ts';
import { pathName, time } from '../../http/schema.ts';

const limit = (max: number) => z.number().int().min(0).max(max).nullable();
const limits = {
  max_test_runs: limit(100).describe('unfinished test runs'),
  max_test_runs_a_day: limit(10_000).describe('test runs started within 24 hours'),
  max_submissions: limit(100).describe('submissions kept'),
  max_uploads_a_day: limit(10_000).describe('uploads within 24 hours'),
  max_challenges_a_day: limit(10_000).describe('challenges sent within 24 hours'),
  max_trial_hands_a_day: limit(10_000_000).describe('hands of trials within 24 hours'),
};
const quota = z
  .object({
    username: z.string(),
    own: z.object(limits).describe("set for this user; null: the event's setting applies"),
    effective: z.object(limits).describe('the limits in force'),
    version: z.number().int().describe('0: never set'),
    updated_at: time.nullable(),
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'UserQuota' });
const quotaBody = z
  .strictObject({
    ...limits,
    expected_version: z.number().int().describe('409 when somebody else has changed it since'),
  })
  .partial();

const presentLimits = (limits: Quota__Output | null) => ({
  max_test_runs: limits?.maxTestRuns ?? null,
  max_test_runs_a_day: limits?.maxTestRunsADay ?? null,
  max_submissions: limits?.maxSubmissions ?? null,
  max_uploads_a_day: limits?.maxUploadsADay ?? null,
  max_challenges_a_day: limits?.maxChallengesADay ?? null,
  max_trial_hands_a_day: limits?.maxTrialHandsADay ?? null,
});

async function present(saved: UserQuota__Output, context: Context) {
  const nameOf = await context.names.of([saved.userId, saved.updatedById]);
  return {
    username: nameOf(saved.userId),
    own: presentLimits(saved.own),
    effective: presentLimits(saved.effective),
    version: saved.version,
    updated_at: saved.updatedAt || null,
    updated_by: saved.updatedById === '' ? null : nameOf(saved.updatedById),
  };
}

export const quotaRoutes = [
  route('GET /admin/quota/{username}', {
    access: 'admin',
    summary: "A user's quota, and which values differ from the event's",
    params: pathName('username'),
    response: quota,
    async handle({ params, context, caller }) {
      const userId = await context.names.idOf(params.username ?? '');
      return present(await context.simulation.getUserQuota({ userId }, { caller }), context);
    },
  }),
  route('POST /admin/quota/{username}', {
    access: 'admin',
    summary: "Set a user's quota; null or absent values follow the event's settings",
    params: pathName('username'),
    body: quotaBody,
    response: quota,
    refusals: [400, 409],
    async handle({ params, body, context, caller }) {
      const userId = await context.names.idOf(params.username ?? '');
      const own = Object.fromEntries(
        Object.entries(quotaRequest(body)).filter(([, value]) => typeof value === 'number'),
      );
      const expected = body.expected_version === undefined ? {} : { expectedVersion: body.expected_version };
      return present(await context.simulation.setUserQuota({ userId, own, ...expected }, { caller }), context);
    },
  }),
];

interface QuotaBody<Value> {
  readonly max_test_runs?: Value;
  readonly max_test_runs_a_day?: Value;
  readonly max_submissions?: Value;
  readonly max_uploads_a_day?: Value;
  readonly max_challenges_a_day?: Value;
  readonly max_trial_hands_a_day?: Value;
}

/** Converts the quota fields of a request body to those of simulation's messages; absent fields are undefined. */
export const quotaRequest = <Value>(body: QuotaBody<Value>) => ({
  maxTestRuns: body.max_test_runs,
  maxTestRunsADay: body.max_test_runs_a_day,
  maxSubmissions: body.max_submissions,
  maxUploadsADay: body.max_uploads_a_day,
  maxChallengesADay: body.max_challenges_a_day,
  maxTrialHandsADay: body.max_trial_hands_a_day,
});
