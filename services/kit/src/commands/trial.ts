import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TrialDecision, type TrialPair, trialDecision, trialPair } from '@husky/estimate/trial';
import { botHash } from '../play/match-files.ts';
import { planTrialSet } from '../play/plan.ts';
import { PlayPool } from '../play/pool.ts';
import type { PlayRequest } from '../play/request.ts';
import type { MatchSummary } from '../play/summary.ts';
import { KitError, send } from '../wire.ts';

/** The request of husky_holdem/commands/trial.py: the first two bots are A and B, the others the field. */
interface TrialRequest extends PlayRequest {
  readonly alpha: number;
  /** Chips per 100 hands. */
  readonly margin: number;
  /** Budget: hands of A and B. */
  readonly max_hands: number;
  /** Of a trial of the site, which is played again: what its deal sets were dealt from, and the hashes of A and B. */
  readonly deals?: readonly string[];
  readonly bot_hashes?: readonly string[];
}

/** A hand that A and B played with the same cards in the same seat. */
interface DifferentHand {
  /** From 1. */
  readonly deal_set: number;
  readonly rotation: number;
  readonly hand: number;
  readonly seat: number;
  readonly seed: string;
  /** Chips won. */
  readonly a: number;
  readonly b: number;
}

const shownHands = 5;
/** Sets that are played before the next look: no decision falls within the first ones. */
const firstSets = 10;
const moreSets = 0.15;

/** The command `trial`. Sends the events of `play`, and `decision` after each look. */
export async function trial(given: Readonly<Record<string, unknown>>, stop: AbortSignal): Promise<object> {
  const request = { ...(given as unknown as TrialRequest), luck: true };
  const { bots, settings, deals, max_hands: budget } = request;
  if (botHash(bots[0]) === botHash(bots[1])) {
    const equal = { verdict: 'no_difference', estimate: 0, low: 0, high: 0, hands: 0 };
    return { ...equal, identical: true, sets: 0, settings, course: [], different: [], other_files: [] };
  }
  const rotations = bots.length - 1;
  const handsOfSet = 2 * rotations * settings.hands;
  if (handsOfSet > budget)
    throw new KitError(2, `a deal set has ${handsOfSet} hands, more than the budget of ${budget}: raise --max-hands`);
  const [pairs, course]: [TrialPair[], TrialDecision[]] = [[], []];
  let different: DifferentHand[] = [];
  let decision = trialDecision([], request);
  const mostSets = deals?.length ?? Math.floor(budget / handsOfSet);
  while (decision.verdict === 'undecided' && pairs.length < mostSets) {
    const wanted = Math.max(pairs.length === 0 ? firstSets : 1, Math.ceil(moreSets * pairs.length));
    const sets = Math.min(wanted, mostSets - pairs.length);
    const matches = await playSets(request, { from: pairs.length, sets, hands: handsOfSet }, stop);
    for (let at = 0; at < matches.length; at += 2 * rotations) {
      const [a, b] = [matches.slice(at, at + rotations), matches.slice(at + rotations, at + 2 * rotations)];
      pairs.push(pairOf(a, b));
      different.push(...differencesOf(a, b));
      // As the site: after each set, so that both end at the same one.
      decision = trialDecision(pairs, request);
      if (decision.verdict !== 'undecided') break;
    }
    different = different.sort((x, y) => Math.abs(y.a - y.b) - Math.abs(x.a - x.b)).slice(0, shownHands);
    course.push(decision);
    send({ event: 'decision', sets: pairs.length, ...finite(decision) });
  }
  const other_files = (request.bot_hashes ?? []).slice(0, 2).map((hash, bot) => hash !== botHash(bots[bot]));
  return {
    ...finite(decision),
    identical: false,
    sets: pairs.length,
    settings,
    course: course.map(finite),
    different,
    other_files,
  };
}

/** JSON has no infinity: an end that excludes nothing is null. */
const finite = (decision: TrialDecision) => ({
  ...decision,
  low: Number.isFinite(decision.low) ? decision.low : null,
  high: Number.isFinite(decision.high) ? decision.high : null,
});

async function playSets(
  request: TrialRequest,
  { from, sets, hands }: { readonly from: number; readonly sets: number; readonly hands: number },
  stop: AbortSignal,
): Promise<MatchSummary[]> {
  const matches = 2 * (request.bots.length - 1);
  const plans = Array.from({ length: sets }, (_, set) =>
    planTrialSet(request, from + set, set * matches, request.deals),
  ).flat();
  const temporary = mkdtempSync(join(request.temporary_folder, 'husky-'));
  try {
    chmodSync(temporary, 0o755);
    const pool = new PlayPool(request, temporary, {
      onSandbox: (sandbox) => from === 0 && send({ event: 'sandbox', ...sandbox }),
      onHands: (done) => send({ event: 'progress', done: from * hands + done, total: request.max_hands }),
    });
    return await pool.play(
      plans.map((plan) => ({ plan, folder: null })),
      stop,
    );
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The seat of the bot that is tried, and its lists. */
function triedOf({ seats, nets, adjusted, seed }: MatchSummary) {
  const seat = seats.findIndex(({ bot }) => bot < 2);
  return {
    seat,
    seed,
    nets: nets[seat] ?? [],
    adjusted: adjusted?.[seat] ?? [],
    disabled: seats[seat]?.disabled ?? '',
  };
}

function pairOf(a: readonly MatchSummary[], b: readonly MatchSummary[]): TrialPair {
  const valuesOf = (matches: readonly MatchSummary[]) =>
    matches.map((match) => {
      const { adjusted } = triedOf(match);
      return { chips: adjusted.reduce((sum, value) => sum + value, 0), hands: adjusted.length };
    });
  const pair = trialPair(valuesOf(a), valuesOf(b));
  const failed = [a, b].map((matches) => matches.map(triedOf).find(({ disabled }) => disabled !== '')?.disabled);
  if (pair.hands === 0 || failed.some((text) => text !== undefined)) {
    const which = failed[0] === undefined ? 'B' : 'A';
    throw new KitError(1, `${which} did not play to the end: it ${failed[0] ?? failed[1] ?? 'played no hand'}`);
  }
  return pair;
}

function differencesOf(a: readonly MatchSummary[], b: readonly MatchSummary[]): DifferentHand[] {
  return a.flatMap((match, rotation) => {
    const [mine, yours] = [triedOf(match), triedOf(b[rotation] as MatchSummary)];
    return mine.nets.flatMap((won, index) => {
      const other = yours.nets[index] ?? won;
      if (won === other) return [];
      const where = { deal_set: match.deal_set + 1, rotation: rotation + 1, hand: index + 1, seat: mine.seat + 1 };
      return [{ ...where, seed: mine.seed, a: won, b: other }];
    });
  });
}
