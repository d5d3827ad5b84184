import { raw, type Sql, sql } from '@husky/runtime/database/sql';
import type { Match } from '../domain/match.ts';

/** The columns of `matches` by the fields of Match, and those that are only written. */
export const matchColumns: Readonly<Record<keyof Match | 'profile', string>> = {
  jobId: 'job_id',
  ownerId: 'owner_id',
  batchId: 'batch_id',
  batchNumber: 'batch_number',
  gameNumber: 'game_number',
  playerIds: 'player_ids',
  numRounds: 'num_rounds',
  bigBlind: 'big_blind',
  blindMultiplier: 'blind_multiplier',
  blindInterval: 'blind_interval',
  startingStack: 'starting_stack',
  rulesVersion: 'rules_version',
  profile: 'profile',
  stacks: 'stacks',
  dealSetId: 'deal_set_id',
  rotation: 'rotation',
  seed: 'seed',
  isPublic: 'is_public',
  ladder: 'ladder',
  sealed: 'sealed',
  status: 'status',
  currentAttempt: 'current_attempt',
  acceptedAttempt: 'accepted_attempt',
  firstHandAt: 'first_hand_at',
  hands: 'hands',
  endReason: 'end_reason',
  handsRemovedAt: 'hands_removed_at',
  logsRemovedAt: 'logs_removed_at',
};

/** Fields of a match with their new values. */
export type MatchFields = { readonly [Key in keyof typeof matchColumns]?: unknown };

/** Returns the fields that are set, as columns and values in the same order. */
export function columnsOf(fields: MatchFields): { names: Sql[]; values: Sql[] } {
  const keys = (Object.keys(matchColumns) as (keyof typeof matchColumns)[]).filter((key) => fields[key] !== undefined);
  return {
    names: keys.map((key) => raw(matchColumns[key])),
    values: keys.map((key) => sql`${fields[key]}`),
  };
}

const fields = raw(
  Object.entries(matchColumns)
    .map(([key, column]) => `${column} AS "${key}"`)
    .join(', '),
);

/** Returns a query for a match. */
export const matchQuery = (jobId: string) => sql`SELECT ${fields} FROM matches WHERE job_id = ${jobId}::uuid`;
