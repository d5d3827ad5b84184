import type { Hand__Output } from '@husky/contracts/types/live/v1/Hand';
import type { MatchItem__Output } from '@husky/contracts/types/live/v1/MatchItem';
import type { CommitmentRecord__Output } from '@husky/contracts/types/simulation/v1/CommitmentRecord';
import type { SeedReveal__Output } from '@husky/contracts/types/simulation/v1/SeedReveal';
import { recordKinds } from '@husky/match/commitment';
import type { GameData } from '@husky/match/game-data';
import { nameGame as addNames } from '@husky/match/game-json';
import { parseStacks } from '@husky/match/stacks';
import { readBatchNumbers } from '../../batch-numbers.ts';
import type { Context } from '../../context.ts';

const asAnonymous = { caller: { kind: 'anonymous' } } as const;

/** Presents a page of matches with user names and batch numbers. */
export async function presentMatches(matches: readonly MatchItem__Output[], context: Context) {
  const batchIds = [...new Set(matches.map(({ batchId }) => batchId))].filter((id) => id !== '');
  const [nameOf, numbers, open] = await Promise.all([
    context.names.of(matches.flatMap((match) => match.playerIds)),
    readBatchNumbers(matches, context),
    batchIds.length === 0 ? undefined : context.liveData.listPublicBatches({ batchIds }, asAnonymous),
  ]);
  const publicIds = new Set(open?.batchIds);
  return matches.map((match) => ({
    ...presentMatch(match, nameOf, numbers.get(match.batchId) ?? null),
    batch_is_public: publicIds.has(match.batchId),
  }));
}

function presentMatch(item: MatchItem__Output, nameOf: (id: string) => string, batchNumber: number | null) {
  const best = Math.max(...item.deltas);
  const winners = item.playerIds.filter((_, seat) => item.deltas[seat] === best);
  const [winner] = winners.length === 1 ? winners : [];
  return {
    job_id: item.jobId,
    batch_id: item.batchId || null,
    players: item.playerIds.map(nameOf),
    first_game_created_at: item.firstGameCreatedAt || null,
    is_public: item.isPublic,
    status: item.status,
    batch_number: batchNumber,
    game_number: item.gameNumber,
    hands: item.hands,
    stacks: parseStacks(item.stacks),
    winner: winner === undefined ? null : nameOf(winner),
    winner_delta: winner === undefined ? null : best,
    end_reason: item.endReason || null,
    ended_at: item.endedAt || null,
  };
}

/** Presents an entry of the commitment chain with the field names of docs/fairness.md. */
export function presentRecord(record: CommitmentRecord__Output) {
  const { number, kind, jobHash, commitment, time, previous, hash, seeds } = record;
  const of = recordKinds.find((known) => known === kind) ?? ('match' as const);
  return { number, kind: of, job_hash: jobHash, commitment, time, previous, hash, ...(seeds && { seeds }) };
}

/** Presents what shows that a seed stands in its list; null: it is of no list. */
export function presentSeedProof({ path, listRecord }: SeedReveal__Output) {
  return listRecord && { path, record: presentRecord(listRecord) };
}

/**
 * Adds names to a hand's log. playerNames has seats, counted from 0; usernameMapping and playerIdToUsername have ids, seat + 1
 * (docs/game-data.md).
 */
export function nameGame(hand: Pick<Hand__Output, 'gameJson' | 'playerIds'>, nameOf: (id: string) => string): GameData {
  return addNames(JSON.parse(hand.gameJson) as Record<string, unknown>, hand.playerIds.map(nameOf));
}
