/** What became of the matches that a number is about. Each is in exactly one count. */
export interface MatchCounts {
  readonly planned: number;
  /** Matches that the number is computed from. */
  readonly counted: number;
  /** Matches to be played or in play. */
  readonly open: number;
  readonly failed: number;
  readonly noContest: number;
  /** Played matches that the reader of the number may not see. */
  readonly notPublic: number;
  readonly notCreated: number;
  readonly deletedAfterPlay: number;
  readonly deletedBeforePlay: number;
  /** Deleted before deletions were recorded. */
  readonly deletedUnknown: number;
  /** Numbers of the chain's records of matches that were deleted after they were played. */
  readonly records: readonly number[];
}

const shownRecords = 20;

/** Returns the counts as one sentence, such as "24 of 28 matches counted; 4 deleted after they were played: records 17, 18, 21, 30." */
export function countsSentence(counts: MatchCounts, noun = 'matches'): string {
  const count = (value: number) => value.toLocaleString('en');
  const parts: [number, string][] = [
    [counts.open, 'still to be played'],
    [counts.failed, 'failed'],
    [counts.noContest, 'no contest'],
    [counts.notPublic, 'not public'],
    [counts.notCreated, 'never created'],
    [counts.deletedBeforePlay, 'deleted before they were played'],
    [counts.deletedUnknown, 'deleted before deletions were recorded'],
    [counts.deletedAfterPlay, `deleted after they were played${recordsText(counts.records)}`],
  ];
  const named = parts.filter(([value]) => value > 0).map(([value, text]) => `; ${count(value)} ${text}`);
  return `${count(counts.counted)} of ${count(counts.planned)} ${noun} counted${named.join('')}.`;
}

function recordsText(records: readonly number[]): string {
  if (records.length === 0) return '';
  const more = records.length - shownRecords;
  const shown = records.slice(0, shownRecords).join(', ');
  return `: ${records.length === 1 ? 'record' : 'records'} ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}
