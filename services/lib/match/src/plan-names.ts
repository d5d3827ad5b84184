import { nameHash, type PublicFacts, sha256Hex } from './commitment.ts';
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
}

interface PlanText {
  readonly kind: string;
  readonly id: string;
  readonly roster: readonly { readonly userId: string; readonly nameHash: string }[];
}

/** Reads the plan that a match is committed to. Throws VerificationFailure for another plan, and for names that are not committed to. */
export function readPlan({ text, names }: PublishedPlan, { plan, roster }: PublicFacts): PlannedMatch {
  if (plan === undefined || sha256Hex(text) !== plan.hash)
    throw new VerificationFailure(null, 'plan.text: it is not the plan that was committed to.');
  const { kind, id, roster: planned } = JSON.parse(text) as PlanText;
  const found = new Map<string, string>();
  for (const [index, { user_id: userId, name, salt }] of names.entries()) {
    const hash = planned.find((one) => one.userId === userId)?.nameHash;
    if (hash !== nameHash(salt, name) || !roster.some((seat) => seat.userId === userId))
      throw new VerificationFailure(null, `plan.names.${index}: name, salt and user_id are not those of the plan.`);
    found.set(userId, name);
  }
  return { names: roster.map(({ userId }) => found.get(userId) ?? null), batchId: kind === 'batch' ? id : null };
}
