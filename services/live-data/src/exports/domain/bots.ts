import type { ExportedMatch } from './match-rows.ts';
import { modelOf } from './model-metadata.ts';
import type { ExportInput } from './scope.ts';
import type { Row } from './tables.ts';

/** Sums of one bot in one batch. */
export interface BotTotals {
  readonly batchId: string | null;
  readonly userId: string;
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
  { match, facts, attempt }: ExportedMatch,
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
      botHash,
      packagesHash,
      matches: matches + 1,
      hands: hands + attempt.hands,
      delta: delta + (deltas[seat] ?? 0),
    };
  }
  return added;
}

/** Returns the rows of the table bots: by batch, best first. */
export function botRows(totals: Totals, { names, batches }: ExportInput): Row[] {
  const rows = Object.values(totals).map(({ batchId, userId, botHash, packagesHash, ...sums }) => {
    const batch = batches[batchId ?? ''];
    const username = names[userId] ?? 'unknown';
    return {
      batch_number: batch?.number ?? null,
      user_id: userId,
      username,
      bot_hash: botHash,
      packages_hash: packagesHash || null,
      ...sums,
      ...modelOf(batch?.metadata ?? '', username),
    };
  });
  return rows.sort((a, b) => (a.batch_number ?? 0) - (b.batch_number ?? 0) || b.delta - a.delta);
}
