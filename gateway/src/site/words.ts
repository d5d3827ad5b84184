/** Formats dollars with thousands separators: '$1,234', '-$5'. Cents only if they are not 0. */
function formatChips(amount: number): string {
  const digits = { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 2 };
  return `${amount < 0 ? '-' : ''}$${Math.abs(amount).toLocaleString('en-US', digits)}`;
}

/** Formats a change with its sign: '+$10', '-$10', '$0'. */
export const formatChange = (amount: number): string => `${amount > 0 ? '+' : ''}${formatChips(amount)}`;

/** Joins names: 'a', 'a and b', 'a, b and c'. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Returns '1 hand', '1,000 hands'. */
export const countOf = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;

interface Result {
  readonly name: string;
  readonly delta: number;
}

/** Returns the players with the highest result, none if nobody won anything. */
export function winnersOf<R extends Result>(results: readonly R[]): R[] {
  const best = Math.max(0, ...results.map(({ delta }) => delta));
  return best === 0 ? [] : results.filter(({ delta }) => delta === best);
}

/** Says who won how much, to begin a sentence: 'ada wins $1,200', 'ada and bob win $600 each', 'Nobody wins'. */
export function winSentence(results: readonly Result[]): string {
  const winners = winnersOf(results);
  const [first] = winners;
  if (first === undefined) return 'Nobody wins';
  const who = listed(winners.map(({ name }) => name));
  return winners.length === 1
    ? `${who} wins ${formatChips(first.delta)}`
    : `${who} win ${formatChips(first.delta)} each`;
}
