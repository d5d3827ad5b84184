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
  /** Played matches that will be counted soon. */
  readonly computing: number;
  readonly notCreated: number;
  readonly deletedAfterPlay: number;
  readonly deletedBeforePlay: number;
  /** Deleted before deletions were recorded. */
  readonly deletedUnknown: number;
  /** Numbers of the chain's records of matches that were deleted after they were played. */
  readonly records: readonly number[];
}

/** The counts of simulation (CountMatches): what became of the matches of batches, or of the platform. */
export interface CountedMatches {
  readonly planned: number;
  readonly pending: number;
  readonly running: number;
  readonly finished: number;
  readonly failed: number;
  readonly deleted: number;
  readonly notCreated: number;
  /** Of finished. */
  readonly noContest: number;
  readonly deletedAfterPlay: number;
  readonly deletedUnknown: number;
  readonly deletedMatches: readonly { readonly played: boolean; readonly recordNumber: number }[];
}

/** No match at all. */
export const noMatches = {
  planned: 0,
  pending: 0,
  running: 0,
  finished: 0,
  failed: 0,
  deleted: 0,
  notCreated: 0,
  noContest: 0,
  deletedAfterPlay: 0,
  deletedUnknown: 0,
  deletedMatches: [],
} satisfies CountedMatches;

/**
 * Returns the counts of a number. `counted`: the matches that it is computed from; `withNoContest`: whether those of no contest are among
 * them; `computing`: whether the others may be public but are not computed yet.
 */
export function countsOfNumber(
  matches: CountedMatches,
  counted: number,
  { withNoContest = false, computing = false } = {},
): MatchCounts {
  const { planned, failed, notCreated, deletedAfterPlay, deletedUnknown } = matches;
  const noContest = withNoContest ? 0 : matches.noContest;
  const others = Math.max(0, matches.finished - noContest - counted);
  return {
    planned,
    counted,
    open: matches.pending + matches.running,
    failed,
    noContest,
    notPublic: computing ? 0 : others,
    computing: computing ? others : 0,
    notCreated,
    deletedAfterPlay,
    deletedBeforePlay: matches.deleted - deletedAfterPlay - deletedUnknown,
    deletedUnknown,
    records: recordsOf(matches),
  };
}

/** Returns the numbers of the records of matches that were deleted after they were played. */
export function recordsOf({ deletedMatches }: Pick<CountedMatches, 'deletedMatches'>): number[] {
  return deletedMatches.flatMap(({ played, recordNumber }) => (played && recordNumber > 0 ? [recordNumber] : []));
}

const shownRecords = 20;

/** Returns the counts as one sentence, such as "24 of 28 matches counted; 4 deleted after they were played: records 17, 18, 21, 30." */
export function countsSentence(counts: MatchCounts, noun = 'matches'): string {
  const count = (value: number) => value.toLocaleString('en');
  const parts: [number, string][] = [
    [counts.open, 'still to be played'],
    [counts.failed, 'failed'],
    [counts.noContest, 'no contest'],
    [counts.computing, 'being computed'],
    [counts.notPublic, 'not public'],
    [counts.notCreated, 'never created'],
    [counts.deletedBeforePlay, 'deleted before they were played'],
    [counts.deletedUnknown, 'deleted before deletions were recorded'],
    [counts.deletedAfterPlay, `deleted after they were played${recordsText(counts.records)}`],
  ];
  const named = parts.filter(([value]) => value > 0).map(([value, text]) => `; ${count(value)} ${text}`);
  return `${count(counts.counted)} of ${count(counts.planned)} ${noun} counted${named.join('')}.`;
}

/** Returns the sentence for numbers of players over all matches; null if nothing was deleted. */
export function deletionsSentence(deleted: number, records: readonly number[]): string | null {
  if (deleted === 0) return null;
  const [are, they] =
    deleted === 1 ? ['match of the platform was', 'it was'] : ['matches of the platform were', 'they were'];
  const text = `${deleted.toLocaleString('en')} ${are} deleted after ${they} played${recordsText(records)}.`;
  return `${text} No figure contains ${deleted === 1 ? 'it' : 'them'}.`;
}

function recordsText(records: readonly number[]): string {
  if (records.length === 0) return '';
  const more = records.length - shownRecords;
  const shown = records.slice(0, shownRecords).join(', ');
  return `: ${records.length === 1 ? 'record' : 'records'} ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}
