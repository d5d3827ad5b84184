import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import type { SeatFaults__Output } from '@husky/contracts/types/simulation/v1/SeatFaults';
import { failedDecisions, summarizeFaults } from '@husky/match/fault';
import { gameIdOf } from '@husky/match/game-id';
import { z } from 'zod';

export const botFaults = z
  .object({
    decisions: z.number().int(),
    failed: z.number().int().describe('decisions that failed; each folded'),
    by_kind: z.record(z.string(), z.number().int()).describe('kind of fault -> failed decisions'),
    failed_calls: z.number().int().describe('calls of methods other than get_action that raised an exception'),
    never_started: z.boolean(),
    stopped_by: z.string().nullable().describe("the fault that ended the bot's play before the match's end"),
    summary: z.string().describe("a phrase that follows the bot's name; empty: nothing failed"),
    first: z
      .object({
        kind: z.string(),
        hand: z.number().int().nullable(),
        step: z.number().int().nullable().describe('of the replay of this hand, from 1; null: not known'),
        game_id: z.string().nullable().describe('the hand of the first fault'),
        text: z.string().nullable().describe('written by the bot: for its owner and admins only'),
      })
      .nullable(),
  })
  .meta({ id: 'BotFaults' });

/** Fields of every job list and of a job's status. */
export const faultFields = {
  faults: z.record(z.string(), botFaults).optional().describe('username -> faults of the bot; absent where not known'),
  no_contest: z.boolean().describe('fewer than two bots started: nobody has won or lost, and result_data is 0 for all'),
};

export function presentFaults(job: Job__Output, nameOf: (id: string) => string) {
  const { seatFaults } = job;
  return {
    ...(seatFaults.length === 0
      ? {}
      : { faults: Object.fromEntries(seatFaults.map((one) => [nameOf(one.userId), presentBot(job, one)])) }),
    no_contest: job.noContest,
  };
}

/** Presents the faults of the bot in one seat. */
export function presentBot(job: Job__Output, faults: SeatFaults__Output) {
  const { firstHand, firstKind, firstStep, firstText } = faults;
  const inHand = firstHand > 0 && job.attempt > 0;
  return {
    decisions: faults.decisions,
    failed: failedDecisions(faults),
    by_kind: Object.fromEntries(faults.counts.map(({ kind, count }) => [kind, count])),
    failed_calls: faults.failedCalls,
    never_started: faults.neverStarted,
    stopped_by: faults.outKind || null,
    summary: summarizeFaults(faults, firstText),
    first:
      firstKind === ''
        ? null
        : {
            kind: firstKind,
            hand: inHand ? firstHand : null,
            step: inHand ? firstStep || null : null,
            game_id: inHand ? gameIdOf(job.id, job.attempt, firstHand) : null,
            text: firstText || null,
          },
  };
}
