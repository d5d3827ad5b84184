import {
  type BeaconRound,
  type CommittedSeat,
  canonicalJson,
  nameHash,
  type PublicFacts,
  sha256Hex,
  type TakenSeeds,
} from './commitment.ts';
import { VerificationFailure } from './verify-match.ts';

/** A plan as a match's file has it: its text, and what opens the hashes of the names of the match's players. */
export interface PublishedPlan {
  readonly text: string;
  readonly names: readonly { readonly user_id: string; readonly name: string; readonly salt: string }[];
}

/** What a plan says about a match. */
export interface PlannedMatch {
  /** By seat; null for an account that was deleted since. */
  readonly names: readonly (string | null)[];
  /** Of the batch; null for a plan of a deal set or of one match. */
  readonly batchId: string | null;
  readonly place: PlannedPlace;
}

/** The place of a match in its plan. */
export interface PlannedPlace {
  /** Of the plan. */
  readonly hash: string;
  readonly game: number;
  /** How many matches the plan has. */
  readonly matches: number;
}

/** Longest list of missing matches in a sentence. */
const mostNamed = 20;

/** The verified matches of an archive by their plans. */
export class PlannedMatches {
  readonly #plans = new Map<string, { readonly matches: number; readonly games: Set<number> }>();

  /** Adds a match. Throws VerificationFailure for one that is there twice. */
  add({ hash, game, matches }: PlannedPlace): void {
    const plan = this.#plans.get(hash) ?? { matches, games: new Set() };
    if (plan.games.has(game)) throw new VerificationFailure(null, `Match ${game} of its plan is there twice.`);
    this.#plans.set(hash, plan);
    plan.games.add(game);
  }

  /** How many of the planned matches are verified, as a sentence; null without a plan. */
  get sentence(): string | null {
    const plans = [...this.#plans.values()];
    const [plan] = plans;
    if (!plan) return null;
    const planned = plans.reduce((sum, { matches }) => sum + matches, 0);
    const verified = plans.reduce((sum, { games }) => sum + games.size, 0);
    const counts = `${verified} of ${planned} matches of ${plans.length === 1 ? 'the plan' : `${plans.length} plans`} are verified`;
    if (verified === planned) return `${counts}.`;
    if (plans.length > 1) return `${counts}. The others are missing here, or their seeds are.`;
    const missing = Array.from({ length: plan.matches }, (_, index) => index + 1).filter(
      (game) => !plan.games.has(game),
    );
    const named = missing.slice(0, mostNamed).join(', ');
    return `${counts}. Missing here, or their seeds are: ${named}${missing.length > mostNamed ? ', ...' : ''}.`;
  }
}

interface PlanText {
  readonly kind: string;
  readonly id: string;
  readonly roster: readonly (CommittedSeat & { readonly nameHash: string })[];
  readonly matches: number;
  readonly tables: readonly string[];
  readonly seeds?: TakenSeeds;
  readonly beacon?: Pick<BeaconRound, 'chain' | 'round'>;
}

/**
 * Reads the plan that a match is committed to. Throws VerificationFailure for another plan, for names that are not committed to, and for bots, nonces, a
 * seed or a beacon that are not those of the plan. `fieldsOf` names the fields of the name at an index.
 */
export function readPlan(
  { text, names }: PublishedPlan,
  facts: PublicFacts,
  fieldsOf = (index: number) => `plan.names.${index}: name, salt and user_id`,
): PlannedMatch {
  const { plan, roster } = facts;
  if (plan === undefined || sha256Hex(text) !== plan.hash)
    throw new VerificationFailure(null, 'plan.text: it is not the plan that was committed to.');
  const planText = JSON.parse(text) as PlanText;
  const other = differenceToPlan(planText, facts, plan.game);
  if (other !== undefined) throw new VerificationFailure(null, `${other}: it is not that of the plan.`);
  const { kind, id, roster: planned } = planText;
  const found = new Map<string, string>();
  for (const [index, { user_id: userId, name, salt }] of names.entries()) {
    const hash = planned.find((one) => one.userId === userId)?.nameHash;
    if (hash !== nameHash(salt, name) || !roster.some((seat) => seat.userId === userId))
      throw new VerificationFailure(null, `${fieldsOf(index)} are not those of the plan.`);
    found.set(userId, name);
  }
  return {
    names: roster.map(({ userId }) => found.get(userId) ?? null),
    batchId: kind === 'batch' ? id : null,
    place: { ...plan, matches: planText.matches },
  };
}

/** Returns the first fact of a match that its plan determines otherwise. */
function differenceToPlan({ roster, matches, tables, ...plan }: PlanText, facts: PublicFacts, game: number) {
  const place = plan.seeds && {
    list: plan.seeds.list,
    number: plan.seeds.first + seedOfMatch(game, { matches, tables }),
  };
  if (canonicalJson(place ?? null) !== canonicalJson(facts.seeds ?? null)) return 'seeds';
  const round = facts.beacon && { chain: facts.beacon.chain, round: facts.beacon.round };
  if (canonicalJson(plan.beacon ?? null) !== canonicalJson(round ?? null)) return 'beacon';
  const known = new Set(roster.map(({ nameHash: _, ...bot }) => canonicalJson(bot)));
  const index = facts.roster.findIndex((bot) => !known.has(canonicalJson(bot)));
  return index < 0 ? undefined : `roster.${index}`;
}

/** Returns the place of a match's seed among those of its plan, from 0. `game` counts from 1. The matches of a table have one seed. */
export function seedOfMatch(game: number, plan: { readonly matches: number; readonly tables: readonly unknown[] }) {
  return Math.floor((game - 1) / (plan.matches / plan.tables.length));
}
