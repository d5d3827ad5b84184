/** What the site is. */
export const benchmark = "Python poker bots, written by people and by language models, compete at No-Limit Hold'em.";

/** Formats dollars with thousands separators: '$1,234', '-$5'. Cents only if they are not 0. */
function formatChips(amount: number): string {
  const digits = { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 2 };
  return `${amount < 0 ? '-' : ''}$${Math.abs(amount).toLocaleString('en-US', digits)}`;
}

/** Formats a change with its sign: '+$10', '-$10', '$0'. */
export const formatChange = (amount: number): string => `${amount > 0 ? '+' : ''}${formatChips(amount)}`;

/** Joins names: 'a', 'a and b', 'a, b and c'. */
export function joinNames(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Formats a count with its noun: '1 hand', '1,000 hands'. */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;

interface Result {
  readonly name: string;
  readonly delta: number;
}

/** Returns the players with the highest result; none if nobody won chips. */
export function winnersOf<R extends Result>(results: readonly R[]): R[] {
  const best = Math.max(0, ...results.map(({ delta }) => delta));
  return best === 0 ? [] : results.filter(({ delta }) => delta === best);
}

/** Formats who won how much, as the beginning of a sentence: 'ada wins $1,200', 'ada and bob win $600 each', 'Nobody wins'. */
export function winSentence(results: readonly Result[]): string {
  const winners = winnersOf(results);
  const [first] = winners;
  if (first === undefined) return 'Nobody wins';
  const who = joinNames(winners.map(({ name }) => name));
  return winners.length === 1
    ? `${who} wins ${formatChips(first.delta)}`
    : `${who} win ${formatChips(first.delta)} each`;
}
