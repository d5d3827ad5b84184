import { parseKey } from '@husky/match/signed-note';
import { verifyTournament } from '@husky/match/tournament-document';
import { formatNumber } from '../../lib/format.ts';

/** Verifies the document of a tournament and its signature. Returns sentences about what was checked. Throws at the first difference. */
export function checkTournament(text: string, keys: readonly string[]): string[] {
  const { entrants, record, stages, signature } = verifyTournament(text, keys.map(parseKey));
  return [
    `Verified: ${formatNumber(entrants)} entrants and their files are those of record ${formatNumber(record)} of the chain.`,
    ...stages.map(
      ({ name, players, tables_each: tables, meetings, record: plan }) =>
        `${name}: planned in record ${formatNumber(plan)}, ${formatNumber(players)} players at ${rangeText(tables)} tables each, two of them together at ${rangeText(meetings)}; ranks and cut follow from the winnings.`,
    ),
    signature.state === 'signed'
      ? 'The document is signed by the site.'
      : 'The signature of the document could not be checked.',
    'Not covered: the winnings. They follow from the matches, which the archives of the stages have.',
  ];
}

const rangeText = ({ min, max }: { min: number; max: number }) =>
  min === max ? formatNumber(min) : `${formatNumber(min)} to ${formatNumber(max)}`;
