import { MAX_SEATS } from '@husky/holdem/blinds';
import { sha256Hex } from './commitment.ts';

export interface Points {
  readonly userId: string;
  /** Chips won in the stage. */
  readonly delta: number;
}

export interface Placed extends Points {
  /** From 1, without ties. */
  readonly place: number;
  /** Level players have the same one. */
  readonly rank: number;
  readonly advances: boolean;
}

/**
 * Ranks the players of a stage by their winnings. Level players share a rank; their places follow from the stages before, the last one first, then from a
 * draw by the hash of the frozen list, which everybody can repeat: SHA-256 of hash, colon and user id, the smallest first. `advance` go on, with all who are
 * level with the last of them; to a stage with one table, exactly six. Null: nobody does.
 */
export function rankStage(
  players: readonly Points[],
  {
    advance,
    before,
    drawBy,
  }: { advance: number | null; before: readonly ReadonlyMap<string, number>[]; drawBy: string },
): Placed[] {
  const draw = new Map(players.map(({ userId }) => [userId, drawOf(drawBy, userId)]));
  const level = (one: string, other: string) => {
    for (const points of [...before].reverse()) {
      const difference = (points.get(other) ?? 0) - (points.get(one) ?? 0);
      if (difference !== 0) return difference;
    }
    return (draw.get(one) ?? '') < (draw.get(other) ?? '') ? -1 : 1;
  };
  const order = [...players].sort((a, b) => b.delta - a.delta || level(a.userId, b.userId));
  const goOn = advance === null ? 0 : cutOf(order, advance);
  let rank = 0;
  return order.map(({ userId, delta }, index) => {
    if (index === 0 || delta !== order[index - 1]?.delta) rank = index + 1;
    return { userId, delta, place: index + 1, rank, advances: index < goOn };
  });
}

function cutOf(order: readonly Points[], advance: number): number {
  if (order.length <= advance) return order.length;
  if (advance === MAX_SEATS) return MAX_SEATS;
  const last = order[advance - 1]?.delta ?? 0;
  return order.filter(({ delta }) => delta >= last).length;
}

const drawOf = (hash: string, userId: string): string => sha256Hex(`${hash}:${userId}`);

/** Returns the winner of the last stage; null if nobody was ever better than another. */
export function championOf(stages: readonly (readonly Points[])[]): string | null {
  const decided = stages.some((players) => new Set(players.map(({ delta }) => delta)).size > 1);
  return decided ? (stages.at(-1)?.[0]?.userId ?? null) : null;
}
