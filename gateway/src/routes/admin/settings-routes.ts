import type { Retention__Output } from '@husky/contracts/types/live/v1/Retention';
import type { Settings__Output } from '@husky/contracts/types/simulation/v1/Settings';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { route } from '../../http/route.ts';
import { text, time } from '../../http/schema.ts';
import { quotaRequest } from './quota-routes.ts';

const settings = z
  .object({
    banner: z.string(),
    frozen: z.boolean().describe('no new submissions, no new matches'),
    tournament_start: time,
    tournament_end: time,
    home_board: z
      .string()
      .describe(
        "tag of the home page's leaderboard; '' or one without entries: the leaderboard with the newest result",
      ),
    keep_test_runs_days: z
      .number()
      .int()
      .describe('days after which hands and logs of private test runs are removed; 0: never'),
    keep_logs_days: z
      .number()
      .int()
      .describe("days after which bots' logs and the hands of lost attempts are removed; 0: never"),
    ladder: z.boolean().describe('the ladder plays while runners are free'),
    ladder_hands: z.number().int().describe('hands of each rotation of a set of the ladder'),
    ladder_hands_a_day: z.number().int().describe('most hands that the ladder plays within 24 hours'),
    keep_ladder_days: z
      .number()
      .int()
      .describe('days after which matches of the ladder and of trials are deleted; 0: never'),
    max_test_runs: z.number().int().describe('unfinished test runs of a user'),
    max_test_runs_a_day: z.number().int().describe('test runs that a user starts within 24 hours'),
    max_submissions: z.number().int().describe('submissions that a user keeps'),
    max_uploads_a_day: z.number().int().describe('uploads of a user within 24 hours'),
    max_challenges_a_day: z.number().int().describe('challenges that a user sends within 24 hours'),
    max_trial_hands_a_day: z.number().int().describe("hands of a user's trials within 24 hours"),
    version: z.number().int(),
    updated_at: time,
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'EventSettings' });
const settingsBody = z
  .strictObject({
    banner: text(500),
    frozen: z.boolean(),
    tournament_start: z.string().max(40),
    tournament_end: z.string().max(40),
    home_board: text(64),
    keep_test_runs_days: z.number().int().min(0).max(3650),
    keep_logs_days: z.number().int().min(0).max(3650),
    ladder: z.boolean(),
    ladder_hands: z.number().int().min(10).max(1000),
    ladder_hands_a_day: z.number().int().min(0).max(100_000_000),
    keep_ladder_days: z.number().int().min(0).max(3650),
    max_test_runs: z.number().int().min(1).max(100),
    max_test_runs_a_day: z.number().int().min(1).max(10_000),
    max_submissions: z.number().int().min(1).max(100),
    max_uploads_a_day: z.number().int().min(1).max(10_000),
    max_challenges_a_day: z.number().int().min(1).max(10_000),
    max_trial_hands_a_day: z.number().int().min(1).max(10_000_000),
    expected_version: z.number().int().describe('409 when somebody else has changed them since'),
  })
  .partial();

async function present(saved: Settings__Output, context: Context) {
  const nameOf = await context.names.of([saved.updatedById]);
  return {
    banner: saved.banner,
    frozen: saved.frozen,
    tournament_start: saved.tournamentStart,
    tournament_end: saved.tournamentEnd,
    home_board: saved.homeBoard,
    keep_test_runs_days: saved.keepTestRunsDays,
    keep_logs_days: saved.keepLogsDays,
    ladder: saved.ladder,
    ladder_hands: saved.ladderHands,
    ladder_hands_a_day: saved.ladderHandsADay,
    keep_ladder_days: saved.keepLadderDays,
    max_test_runs: saved.maxTestRuns,
    max_test_runs_a_day: saved.maxTestRunsADay,
    max_submissions: saved.maxSubmissions,
    max_uploads_a_day: saved.maxUploadsADay,
    max_challenges_a_day: saved.maxChallengesADay,
    max_trial_hands_a_day: saved.maxTrialHandsADay,
    version: saved.version,
    updated_at: saved.updatedAt,
    updated_by: saved.updatedById === '' ? null : nameOf(saved.updatedById),
  };
}

const removedSums = {
  test_runs: z.number().int().describe('test runs whose hands and logs were removed'),
  log_matches: z.number().int().describe('matches whose logs and lost attempts were removed'),
  hands: z.number().int(),
  bytes: z.number().int(),
};
const keepDays = { keep_test_runs_days: z.number().int(), keep_logs_days: z.number().int() };
const retention = z
  .object({
    last_run: z
      .object({ started_at: time, ended_at: time.nullable(), ...keepDays, ...removedSums })
      .nullable()
      .describe('the last run that removed something'),
    total: z.object(removedSums),
  })
  .meta({ id: 'Retention' });

type RemovedSums = Pick<Retention__Output, 'testRuns' | 'logMatches' | 'hands' | 'bytes'>;
const presentRemoved = ({ testRuns, logMatches, hands, bytes }: RemovedSums) => ({
  test_runs: testRuns,
  log_matches: logMatches,
  hands,
  bytes,
});

export const settingsRoutes = [
  route('GET /admin/retention', {
    access: 'admin',
    summary: 'What the rules of retention in the settings have removed',
    response: retention,
    async handle({ context, caller }) {
      const { lastRun, ...total } = await context.liveData.getRetention({}, { caller });
      return {
        last_run: lastRun && {
          started_at: lastRun.startedAt,
          ended_at: lastRun.endedAt === '' ? null : lastRun.endedAt,
          keep_test_runs_days: lastRun.keepTestRunsDays,
          keep_logs_days: lastRun.keepLogsDays,
          ...presentRemoved(lastRun),
        },
        total: presentRemoved(total),
      };
    },
  }),
  route('GET /admin/settings', {
    access: 'admin',
    summary:
      "Settings of the event: banner, freeze, tournament window, the home page's board, ladder, quotas, retention",
    response: settings,
    async handle({ context, caller }) {
      return present(await context.simulation.getSettings({}, { caller }), context);
    },
  }),
  route('POST /admin/settings', {
    access: 'admin',
    summary: 'Change settings of the event; absent ones stay',
    body: settingsBody,
    response: settings,
    refusals: [400, 409],
    async handle({ body, context, caller }) {
      const given = {
        banner: body.banner,
        frozen: body.frozen,
        tournamentStart: body.tournament_start,
        tournamentEnd: body.tournament_end,
        homeBoard: body.home_board,
        keepTestRunsDays: body.keep_test_runs_days,
        keepLogsDays: body.keep_logs_days,
        ladder: body.ladder,
        ladderHands: body.ladder_hands,
        ladderHandsADay: body.ladder_hands_a_day,
        keepLadderDays: body.keep_ladder_days,
        ...quotaRequest(body),
        expectedVersion: body.expected_version,
      };
      const request = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const saved = await context.simulation.updateSettings(request, { caller });
      context.eventSettings.forget();
      return present(saved, context);
    },
  }),
];
