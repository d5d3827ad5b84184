import { formatNumber } from './format.ts';
import type { BatchPlan } from './types.ts';

/** Returns what a batch plays as a sentence. */
export function planSentence({ mode, design, tables }: BatchPlan, users: number, numRounds: number): string {
  const which =
    design === 'all' ? `every 6 of ${users} players` : `${formatNumber(tables)} tables of 6 among ${users} players`;
  const hands = `up to ${formatNumber(numRounds)} hands each`;
  return mode === 'duplicate'
    ? `Duplicate play: for ${which} 6 matches with the same cards and rotated seats, ${hands}.`
    : `A match for ${which}, ${hands}.`;
}

const rangeText = ({ min, max }: { min: number; max: number }): string =>
  min === max ? formatNumber(min) : `${formatNumber(min)} to ${formatNumber(max)}`;

/** Returns the size of a batch: its matches, hands, deal sets, and how often its players meet. */
export function planNumbers({ mode, matches, hands, tables, tables_of_pair }: BatchPlan): string {
  const one = tables_of_pair.max === 1;
  const unit = mode === 'duplicate' ? (one ? 'deal set' : 'deal sets') : one ? 'match' : 'matches';
  const parts = [
    `${formatNumber(matches)} ${matches === 1 ? 'match' : 'matches'}, at most ${formatNumber(hands)} hands.`,
    mode === 'duplicate' ? `${formatNumber(tables)} ${tables === 1 ? 'deal set' : 'deal sets'} of 6 matches.` : '',
    `Two players meet in ${rangeText(tables_of_pair)} ${unit}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
