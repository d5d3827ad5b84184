import { countsOfNumber, countsSentence, deletionsSentence, noMatches } from '@husky/match/match-counts';
import { expect, test } from 'vitest';

const none = {
  planned: 28,
  counted: 28,
  open: 0,
  failed: 0,
  noContest: 0,
  notPublic: 0,
  computing: 0,
  notCreated: 0,
  deletedAfterPlay: 0,
  deletedBeforePlay: 0,
  deletedUnknown: 0,
  records: [],
};

test.each([
  [{}, '28 of 28 matches counted.'],
  [
    { counted: 24, deletedAfterPlay: 4, records: [17, 18, 21, 30] },
    '24 of 28 matches counted; 4 deleted after they were played: records 17, 18, 21, 30.',
  ],
  [
    {
      counted: 1,
      open: 2,
      failed: 3,
      noContest: 4,
      notPublic: 5,
      notCreated: 6,
      deletedBeforePlay: 3,
      deletedUnknown: 4,
    },
    '1 of 28 matches counted; 2 still to be played; 3 failed; 4 no contest; 5 not public; 6 never created; 3 deleted before they were played; 4 deleted before deletions were recorded.',
  ],
  [
    {
      planned: 38_760,
      counted: 38_738,
      deletedAfterPlay: 22,
      records: Array.from({ length: 22 }, (_, index) => index + 1),
    },
    '38,738 of 38,760 matches counted; 22 deleted after they were played: records 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and 2 more.',
  ],
])('says what became of each match: %o', (counts, sentence) => {
  expect(countsSentence({ ...none, ...counts })).toBe(sentence);
});

test('derives what is not counted from the counts of simulation', () => {
  const deletedMatches = [
    { played: true, recordNumber: 17 },
    { played: false, recordNumber: 18 },
  ];
  const matches = {
    ...noMatches,
    planned: 9,
    finished: 6,
    noContest: 1,
    deleted: 3,
    deletedAfterPlay: 1,
    deletedMatches,
  };
  const counts = {
    planned: 9,
    counted: 4,
    noContest: 1,
    notPublic: 1,
    computing: 0,
    deletedBeforePlay: 2,
    records: [17],
  };
  expect(countsOfNumber(matches, 4)).toMatchObject(counts);
  expect(countsOfNumber(matches, 4, { computing: true })).toMatchObject({ notPublic: 0, computing: 1 });
  expect(countsOfNumber(matches, 5, { withNoContest: true })).toMatchObject({ noContest: 0, notPublic: 1 });
});

test('says what numbers over all matches lack', () => {
  expect(deletionsSentence(0, [])).toBeNull();
  expect(deletionsSentence(1, [17])).toBe(
    '1 match of the platform was deleted after it was played: record 17. No figure contains it.',
  );
  expect(deletionsSentence(2, [17, 18])).toBe(
    '2 matches of the platform were deleted after they were played: records 17, 18. No figure contains them.',
  );
});
