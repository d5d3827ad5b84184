import type { LiveJob } from '../../broadcast/live-merge.ts';
import { standingAfter } from '../../broadcast/standing.tsx';
import type { PublicJob } from '../../lib/types.ts';
import { formatChips } from '../../table/chips.ts';

type Listed = Pick<PublicJob, 'job_id' | 'batch_number' | 'game_number'>;

/** A match on the channel. */
export type Slot = Listed & { running: boolean };

type Lists = {
  running: readonly (Listed & { watchers: number })[];
  finished: readonly Listed[];
  best: readonly Listed[];
};

/**
 * Chooses the next match: of those that were shown least often, one in play (the most watched first), else a recent one, else the best of
 * the week. `shown`: how often each was shown. Null: there is no public match.
 */
export function nextSlot({ running, finished, best }: Lists, shown: ReadonlyMap<string, number>): Slot | null {
  const slots: Slot[] = [
    ...[...running].sort((a, b) => b.watchers - a.watchers).map((match) => ({ ...match, running: true })),
    ...[...finished, ...best].map((match) => ({ ...match, running: false })),
  ];
  const times = (slot: Slot) => shown.get(slot.job_id) ?? 0;
  const fewest = Math.min(...slots.map(times));
  return slots.find((slot) => times(slot) === fewest) ?? null;
}

export type Place = { rank: number; name: string; delta: number; sentence: string };

/** Returns the places of a match that has ended, with a sentence about each player. */
export function placesOf(job: LiveJob): Place[] {
  const rows = standingAfter(job, job.hands.length);
  return rows.map(({ rank, name, delta, outIn }) => {
    const values = job.series.get(name) ?? [];
    let best = { net: 0, hand: 0 };
    for (const [index, value] of values.entries()) {
      const net = value - (values[index - 1] ?? 0);
      if (outIn === null ? net > best.net : net < best.net) best = { net, hand: index + 1 };
    }
    return { rank, name, delta, sentence: sentenceOf(best, outIn) };
  });
}

function sentenceOf({ net, hand }: { net: number; hand: number }, outIn: number | null): string {
  if (outIn === null) return net === 0 ? 'Won no hand.' : `Won ${formatChips(net)} in hand ${hand}, the best one.`;
  const lost = `Lost ${hand === outIn ? 'the last ' : ''}${formatChips(-net)} in hand ${hand}`;
  return hand === outIn ? `${lost}.` : `${lost}, and the rest in hand ${outIn}.`;
}
