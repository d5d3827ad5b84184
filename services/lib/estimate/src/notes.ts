import { minClusters } from './intervals.ts';
import { estimators, type Standings } from './standings.ts';

/** Returns sentences on the limits of the standings: what cannot be computed or compared, and why. */
export function notesOn(standings: Standings): string[] {
  const { matches, players, adjustedMatches, incompleteMatches, mode } = standings;
  const notes: string[] = [];
  if (matches === 0) return ['No finished matches yet.'];
  if (players.length < 2) notes.push('Only one player: there is nobody to compare with.');
  const few = players.filter(({ estimates }) => estimators.every((estimator) => estimates[estimator] === null));
  if (few.length > 0) {
    notes.push(
      `${few.length} of ${players.length} players have no interval: one match, or one deal set, does not show how much results differ. At least ${minClusters} are needed.`,
    );
  }
  if (adjustedMatches < matches) {
    notes.push(
      `Luck is computed for ${adjustedMatches} of ${matches} matches so far; adjusted values cover these only.`,
    );
  }
  if (mode === 'classic') notes.push('No deal was played in all rotations, so there are no duplicate values.');
  if (mode === 'mixed') notes.push('Only some matches are duplicate: duplicate values cover these only.');
  if (incompleteMatches > 0) {
    notes.push(
      `${incompleteMatches} matches belong to deal sets that are not complete; they count in raw values only.`,
    );
  }
  return notes;
}
