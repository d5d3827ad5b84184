import { readModels } from '@husky/contracts/batch-metadata';
import type { ExportedMatch } from './match-rows.ts';
import type { ExportInput } from './scope.ts';
import type { Row } from './tables.ts';

/** Sums of one bot in one batch. */
export interface BotTotals {
  readonly batchId: string | null;
  readonly userId: string;
  /** Name in the last match. Exports that were started by version 1 do not have it. */
  readonly username?: string;
  readonly botHash: string;
  readonly packagesHash: string;
  readonly matches: number;
  readonly hands: number;
  readonly delta: number;
}

/** By batch, player and bot. */
export type Totals = Readonly<Record<string, BotTotals>>;

/** Returns the sums with one more match added. `deltas`: results by seat. */
export function addToTotals(
  totals: Totals,
  { match, facts, attempt, names }: Pick<ExportedMatch, 'match' | 'facts' | 'attempt' | 'names'>,
  deltas: readonly number[],
): Totals {
  const added: Record<string, BotTotals> = { ...totals };
  for (const [seat, userId] of match.playerIds.entries()) {
    const { botHash = '', packagesHash = '' } = facts.seats[seat] ?? {};
    const { batchId } = match;
    const key = [batchId, userId, botHash, packagesHash].join(' ');
    const { matches = 0, hands = 0, delta = 0 } = added[key] ?? {};
    added[key] = {
      batchId,
      userId,
      username: names[seat] ?? 'unknown',
      botHash,
      packagesHash,
      matches: matches + 1,
      hands: hands + attempt.hands,
      delta: delta + (deltas[seat] ?? 0),
    };
  }
  return added;
}

/** Returns the name of each player in its last match. */
export const lastNames = (totals: Totals): ReadonlyMap<string, string> =>
  new Map(Object.values(totals).map(({ userId, username = 'unknown' }) => [userId, username]));

/** Returns the rows of the table bots: by batch, best first. */
export function botRows(totals: Totals, { batches }: Pick<ExportInput, 'batches'>): Row[] {
  const none = readModels('');
  const models = new Map(Object.entries(batches).map(([id, { metadata }]) => [id, readModels(metadata)]));
  const rows = Object.values(totals).map(
    ({ batchId, userId, username = 'unknown', botHash, packagesHash, ...sums }) => {
      const batch = batches[batchId ?? ''];
      return {
        batch_number: batch?.number ?? null,
        user_id: userId,
        username,
        bot_hash: botHash,
        packages_hash: packagesHash || null,
        ...sums,
        ...(models.get(batchId ?? '') ?? none)(username),
      };
    },
  );
  return rows.sort((a, b) => (a.batch_number ?? 0) - (b.batch_number ?? 0) || b.delta - a.delta);
}
