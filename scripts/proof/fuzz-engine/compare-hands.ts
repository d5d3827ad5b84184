// Compares random hands of the engine with pokerkit.
import { type OraclePython, runOracle } from './oracle.ts';
import { formatHandId, type HandId, type PlayedHand, playHand } from './random-hand.ts';

/** A difference between the engine and its oracle in one hand. */
export interface Difference {
  readonly id: string;
  readonly difference: string;
}

export interface Comparison {
  readonly hands: number;
  /** Number of hands that were compared with pokerkit to the end. */
  readonly compared: number;
  /** Hands in which pokerkit applies other rules, by reason; see EXCEPTIONS in pokerkit_oracle.py. */
  readonly exceptions: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
}

export interface ComparisonOptions {
  readonly python: OraclePython;
  readonly seed: number;
  readonly hands: number;
  /** Number of oracle processes. */
  readonly workers: number;
  /** Plays a hand. Tests pass a faulty engine. */
  readonly play?: (id: HandId) => PlayedHand;
  readonly onProgress?: (hands: number) => void;
}

/** Number of differences after which a comparison stops. */
const maxDifferences = 5;
const batchHands = 200;

/** Compares hands 1 to `hands` of a seed. */
export async function compareHands(options: ComparisonOptions): Promise<Comparison> {
  const { seed, hands, workers } = options;
  let sent = 0;
  const parts = Array.from({ length: workers }, (_, worker) => {
    const ids = function* (): Generator<HandId> {
      for (let number = worker + 1; number <= hands; number += workers) {
        sent += 1;
        if (sent % 1000 === 0) options.onProgress?.(sent);
        yield { seed, number, actions: Number.POSITIVE_INFINITY, without: [] };
      }
    };
    return ids();
  });
  const differences: Difference[] = [];
  const results = await Promise.all(parts.map((ids) => compareIds(options, ids, differences)));
  const exceptions: Record<string, number> = {};
  for (const result of results) {
    for (const [reason, count] of Object.entries(result.exceptions))
      exceptions[reason] = (exceptions[reason] ?? 0) + count;
  }
  const sum = (key: 'hands' | 'compared') => results.reduce((all, result) => all + result[key], 0);
  return { hands: sum('hands'), compared: sum('compared'), exceptions, differences };
}

interface Totals {
  hands: number;
  compared: number;
  exceptions: Record<string, number>;
}

/** Compares hands and adds the differences to `differences`, until there are `limit` of them. */
async function compareIds(
  { python, play = playHand }: Pick<ComparisonOptions, 'python' | 'play'>,
  ids: Iterable<HandId>,
  differences: Difference[],
  limit = maxDifferences,
): Promise<Totals> {
  function* batches(): Generator<string> {
    let lines: string[] = [];
    for (const id of ids) {
      lines.push(`${JSON.stringify(play(id))}\n`);
      if (lines.length < batchHands) continue;
      yield lines.join('');
      lines = [];
    }
    if (lines.length > 0) yield lines.join('');
  }
  let totals: Totals | null = null;
  const onLine = (line: Record<string, unknown>) => {
    if ('difference' in line) differences.push(line as unknown as Difference);
    else totals = line as unknown as Totals;
  };
  await runOracle(python, 'pokerkit_oracle.py', batches(), onLine, () => differences.length >= limit);
  if (totals === null) throw new Error('pokerkit_oracle.py ended without a result');
  return totals;
}

/**
 * Searches the variants of a hand with fewer seats or fewer random actions. Returns the one that still has a difference and has the
 * fewest seats, then the fewest actions; null if only the complete hand differs.
 */
export async function shrinkHand(
  { python, play = playHand }: Pick<ComparisonOptions, 'python' | 'play'>,
  id: HandId,
): Promise<(Difference & { readonly hand: PlayedHand }) | null> {
  const complete = play(id);
  const dealt = complete.stacks.flatMap((chips, seat) => (chips > 0 ? [seat] : []));
  const candidates: HandId[] = [];
  for (let set = 2 ** dealt.length - 1; set >= 0; set--) {
    const without = dealt.filter((_, index) => (set >> index) % 2 === 1);
    if (dealt.length - without.length < 2) continue;
    for (let actions = 0; actions <= complete.steps.length; actions++) candidates.push({ ...id, actions, without });
  }
  const differences: Difference[] = [];
  await compareIds({ python, play }, candidates, differences, Number.POSITIVE_INFINITY);
  const differenceOf = new Map(differences.map((difference) => [difference.id, difference]));
  const [smallest] = candidates
    .filter((candidate) => differenceOf.has(formatHandId(candidate)))
    .sort((a, b) => b.without.length - a.without.length || a.actions - b.actions);
  if (smallest === undefined) return null;
  const hand = play(smallest);
  if (hand.stacks.filter((chips) => chips > 0).length === dealt.length && hand.steps.length >= complete.steps.length)
    return null;
  return { ...(differenceOf.get(hand.id) as Difference), hand };
}
