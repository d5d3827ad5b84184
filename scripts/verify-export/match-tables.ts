import type { MatchFacts__Output } from '@husky/contracts/types/simulation/v1/MatchFacts';
import { sumBlocks } from '@husky/estimate/match-sums';
import type { MatchSums } from '@husky/estimate/standings';
import type { AppliedAction } from '@husky/holdem/action';
import { blindsAt } from '@husky/holdem/blinds';
import type { Hand } from '@husky/holdem/hand';
import { type PublicFacts, publishedSeedProof, type SeedProof } from '@husky/match/commitment';
import { type Fault, faultNamed } from '@husky/match/fault';
import { type PlannedMatch, type PlannedPlace, readPlan } from '@husky/match/plan-names';
import { actionNamed } from '@husky/match/published-hand';
import type { HandRecord } from '@husky/match/record';
import { parseStacks } from '@husky/match/stacks';
import { MatchVerifier, type PublishedProof, VerificationFailure } from '@husky/match/verify-match';
import type { Match } from '../../services/live-data/src/domain/match.ts';
import { MatchRows } from '../../services/live-data/src/exports/domain/match-rows.ts';
import type { Row } from './archive.ts';
import { type Comparison, comparePhh, compareRows } from './compare-tables.ts';

/** The tables that have rows of a match, in the order in which they are compared. */
export const matchTables = ['matches', 'actions', 'hands', 'hand_players', 'results'] as const;
export type MatchTable = (typeof matchTables)[number];
export type MatchTables = Readonly<Record<MatchTable, readonly Row[]>>;

export interface VerifiedMatch {
  readonly actions: number;
  /** Its place in its plan, with the batch; null without one. */
  readonly place: (PlannedPlace & { readonly batchId: string | null }) | null;
  /** Names of players that no plan binds. */
  readonly unboundNames: readonly string[];
  readonly hasListedSeed: boolean;
}

/**
 * Verifies a match of an export: plays the actions of its tables on the decks of its seed, makes its rows and its PHH file again with the
 * code that exports them, and compares every value. Throws VerificationFailure with the column or field.
 */
export function verifyMatch(found: MatchTables, phh: string, comparison: Comparison): VerifiedMatch {
  const [match = {}] = found.matches;
  const proof = readProof(match);
  const verifier = new MatchVerifier(proof);
  const { facts } = verifier;
  if (found.results.length !== facts.roster.length)
    throw new VerificationFailure(
      null,
      `results: ${facts.roster.length} players were committed to, it has ${found.results.length}.`,
    );
  const plan = checkPlan(match, found.results, facts, comparison);
  const records = playHands(verifier, found);
  const { actions } = verifier.finish();
  checkContest(match, found.actions, facts.roster.length);
  const { bigBlind, multiplier, interval } = facts.blinds;
  const stored = {
    jobId: proof.jobId,
    gameNumber: plan?.batchId ? facts.plan?.game : Number(match.game_number),
    playerIds: facts.roster.map(({ userId }) => userId),
    numRounds: facts.hands,
    bigBlind,
    blindMultiplier: multiplier,
    blindInterval: interval,
    startingStack: facts.startingStack,
    rulesVersion: facts.rulesVersion,
    stacks: facts.stacks ?? 'carry',
    seed: verifier.key,
    endReason: String(match.end_reason ?? ''),
  } as unknown as Match;
  const { record } = proof;
  const matchFacts = {
    job: {
      noContest: match.no_contest === true,
      commitment: proof.commitment,
      commitmentDetails: { publicInput: proof.publicInput, record },
    },
    seats: facts.roster,
    seedReveal: {
      seedHex: proof.seed,
      ...(proof.seedProof && { path: proof.seedProof.path, listRecord: proof.seedProof.record }),
    },
    profile: facts.profile,
    dealSetId: String(match.deal_set),
    seedPublished: true,
    plan: plan && { text: match.plan, names: openings(found.results) },
  } as unknown as MatchFacts__Output;
  const attempt = {
    number: Number(match.attempt),
    hands: records.length,
    digest: String(match.digest),
    startedAt: match.started_at as Date,
  };
  const batchNumber = match.batch_number === null ? null : Number(match.batch_number);
  const names = found.results.map(({ username }) => String(username));
  const expected: Record<MatchTable, Row[]> = { matches: [], actions: [], hands: [], hand_players: [], results: [] };
  const rows = new MatchRows(
    { match: stored, facts: matchFacts, attempt, names, batchNumber, values: null },
    (table, row) => {
      expected[table as MatchTable].push(row);
    },
  );
  const reset = facts.stacks === 'reset' ? { resetStack: facts.startingStack } : {};
  const startStacks = facts.roster.map(() => facts.startingStack);
  rows.addChunk({
    rulesVersion: facts.rulesVersion,
    firstHand: 1,
    startStacks,
    ...reset,
    bigBlindSeat: null,
    nextButton: null,
    hands: records,
  });
  const text = rows.finish();
  for (const table of matchTables) compareRows(table, expected[table], found[table], comparison);
  comparePhh(text, phh, comparison);
  const place = plan && { ...plan.place, batchId: plan.batchId };
  const unboundNames = names.filter((_, seat) => plan?.names[seat] == null);
  return { actions, place, unboundNames, hasListedSeed: facts.seeds !== undefined };
}

/** Returns what opens the hashes of names in the plan. */
const openings = (results: readonly Row[]) =>
  results
    .filter(({ name_salt }) => typeof name_salt === 'string')
    .map((row) => ({ userId: String(row.user_id), name: String(row.username), salt: String(row.name_salt) }));

/** Compares the plan and the names with the commitment. Returns null for a match without a plan, and for exports of version 1. */
function checkPlan(
  { plan: text }: Row,
  results: readonly Row[],
  facts: PublicFacts,
  comparison: Comparison,
): PlannedMatch | null {
  if (text === undefined && comparison.mayLack('plan')) return null;
  if (typeof text !== 'string') {
    if (facts.plan === undefined) return null;
    throw new VerificationFailure(null, 'matches.plan: expected the plan that was committed to, found none.');
  }
  const opened = openings(results).map(({ userId, ...one }) => ({ user_id: userId, ...one }));
  const seats = results.filter(({ name_salt }) => typeof name_salt === 'string').map(({ seat }) => seat);
  const fieldsOf = (index: number) => `results, seat ${String(seats[index])}: username, name_salt and user_id`;
  return readPlan({ text, names: opened }, facts, fieldsOf);
}

function readProof(match: Row): PublishedProof {
  const { commitment, commitment_input: publicInput } = match;
  if (typeof commitment !== 'string' || typeof publicInput !== 'string') {
    throw new VerificationFailure(null, 'It has no commitment.');
  }
  const record =
    match.record_number === null
      ? null
      : {
          number: Number(match.record_number),
          jobHash: String(match.record_job_hash),
          commitment,
          time: String(match.record_time),
          previous: String(match.record_previous),
          hash: String(match.record_hash),
        };
  return {
    jobId: String(match.job_id),
    commitment,
    publicInput,
    seed: String(match.seed),
    record,
    seedProof: readSeedProof(match),
  };
}

function readSeedProof({ seed_proof: text }: Row): SeedProof | null {
  if (typeof text !== 'string') return null;
  try {
    const found = JSON.parse(text);
    if (Array.isArray(found.path)) return publishedSeedProof(found);
  } catch {
    // Reported below, as JSON of another form is.
  }
  throw new VerificationFailure(null, 'matches.seed_proof: it cannot be read.');
}

/** Plays the hands of the tables. Their values are compared afterwards. */
function playHands(verifier: MatchVerifier, found: MatchTables): HandRecord[] {
  const actions = Map.groupBy(found.actions, ({ hand }) => Number(hand));
  return found.hands.map((row) => {
    const number = Number(row.hand);
    const startedAtMs = Number(row.started_at);
    const hand = verifier.startHand(number, startedAtMs);
    const own = actions.get(number) ?? [];
    for (const action of own.slice(hand.log.length)) play(hand, number, action);
    verifier.finishHand(hand);
    return {
      startedAtMs,
      ...(hand.posts === 1 && { deadSmallBlind: true }),
      actions: hand.log.map((action, index) => noted(number, action, own[index] ?? {})),
      deltas: hand.deltas,
    };
  });
}

function play(hand: Hand, number: number, { action, amount, adjusted }: Row): void {
  const next = hand.log.length + 1;
  try {
    hand.act(actionNamed(String(action)), Number(amount), adjusted === true);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new VerificationFailure(number, `actions.action, action ${next}: ${error.message}.`);
  }
}

function noted(number: number, action: AppliedAction, { ms, fault }: Row) {
  const known: Fault | undefined = typeof fault === 'string' ? faultNamed(fault) : undefined;
  if (fault !== null && known === undefined)
    throw new VerificationFailure(number, `actions.fault: no fault has the name '${String(fault)}'.`);
  return { ...action, ms: Number(ms), ...(known !== undefined && { fault: known }) };
}

/** Compares whether the match is no contest with the seats that never started, as far as their actions show. */
function checkContest({ no_contest: found }: Row, actions: readonly Row[], seats: number): void {
  const decisions = Map.groupBy(
    actions.filter(({ fault, number }) => fault !== null || Number(number) > 2),
    ({ seat }) => Number(seat),
  );
  const playing = [...decisions.values()].filter((own) => own.some(({ fault }) => fault === null)).length;
  const silent = [...decisions.values()].filter((own) => own.every(({ fault }) => fault === 'startup')).length;
  const expected = playing > 1 ? false : silent >= seats - 1 ? true : found;
  if (found !== expected)
    throw new VerificationFailure(null, `matches.no_contest: expected ${String(expected)}, found ${String(found)}.`);
}

/** Returns the sums of a match from its tables, from which standings are computed. */
export function sumsOf(match: Row, { results, hands, hand_players: players }: MatchTables): MatchSums {
  const zeros = () => results.map(() => new Array<number>(hands.length).fill(0));
  const [nets, adjusted] = [zeros(), zeros()];
  for (const { hand, seat, net, adjusted_net: adjustedNet } of players) {
    const [ofSeat, ofAdjusted] = [nets[Number(seat) - 1], adjusted[Number(seat) - 1]];
    if (ofSeat) ofSeat[Number(hand) - 1] = Number(net);
    if (ofAdjusted) ofAdjusted[Number(hand) - 1] = Number(adjustedNet);
  }
  const schedule = {
    bigBlind: Number(match.big_blind),
    multiplier: String(match.blind_multiplier),
    interval: Number(match.blind_interval),
  };
  const bigBlinds: number[] = [];
  for (const { hand, big_blind: bigBlind } of hands) bigBlinds[Number(hand) - 1] = Number(bigBlind);
  return {
    seed: String(match.seed ?? match.deal_set),
    players: results.toSorted((a, b) => Number(a.seat) - Number(b.seat)).map(({ user_id }) => String(user_id)),
    stacks: parseStacks(String(match.stacks)),
    startingStack: Number(match.starting_stack),
    bigBlind: schedule.bigBlind,
    lastBigBlind: blindsAt(Number(match.num_rounds), schedule, results.length * Number(match.starting_stack)).big,
    blocks: sumBlocks(nets, adjusted, bigBlinds, Number(match.num_rounds)),
  };
}
