import { expect, test } from 'vitest';
import { countSkippedReads } from './check-board.ts';
import { checkHistory } from './check-history.ts';
import type { Call, JobState, Outcome, Recorded } from './history.ts';

const done = (start: number, end: number, call: Call): Recorded => ({
  ...call,
  start,
  end,
  outcome: 'done',
  status: 200,
});
const failed = (start: number, end: number, outcome: Outcome, status: number, call: Call): Recorded => ({
  ...call,
  start,
  end,
  outcome,
  status,
});

const upload = (submissionId: string): Call => ({ call: 'upload', user: 'ada', submissionId });
const list = (...submissionIds: string[]): Call => ({ call: 'submissions', user: 'ada', submissionIds });
const remove = (submissionId: string): Call => ({ call: 'remove', user: 'ada', submissionId });
const status = (state: JobState, result = {}): Call => ({ call: 'status', jobId: 'j', state, result });
const publish = (jobId: string, ada: number): Call => ({ call: 'publish', jobId, result: { ada, bob: -ada } });
const board = (ada: number): Call => ({ call: 'board', scores: { ada, bob: -ada } });
const watch = (after: string, ...hands: string[]): Call => ({ call: 'watch', jobId: 'j', after, hands });

test('accepts a history without violations', () => {
  const history = [
    done(0, 1, upload('a')),
    failed(2, 3, 'unknown', 0, { call: 'upload', user: 'ada' }),
    done(4, 5, list('a', 'b')),
    done(6, 9, remove('a')),
    done(7, 8, list('a', 'b')),
    done(10, 11, list('b')),
    done(0, 1, { call: 'start', jobId: 'j' }),
    done(2, 3, status('Pending')),
    done(4, 5, status('Running')),
    done(6, 7, status('Pending')),
    done(8, 9, status('Finished', { ada: 2, bob: -2 })),
    done(10, 11, status('Finished', { bob: -2, ada: 2 })),
    done(12, 13, publish('j', 2)),
    done(14, 15, board(2)),
    done(1, 20, watch('0:0', '1:1', '1:2', '2:1', '2:2')),
  ];
  expect(checkHistory(history)).toEqual([]);
});

test('finds an accepted upload that a later list lacks', () => {
  expect(checkHistory([done(0, 1, upload('a')), done(2, 3, list())])).toEqual([
    'submission a of ada was accepted and is missing in a later list',
  ]);
});

test('does not expect an upload in a list that was requested before the response to the upload', () => {
  expect(checkHistory([done(0, 3, upload('a')), done(2, 4, list())])).toEqual([]);
});

test('finds a submission that was listed once and is missing later, although its upload had no response', () => {
  const history = [
    failed(0, 1, 'unknown', 0, { call: 'upload', user: 'ada' }),
    done(2, 3, list('a')),
    done(4, 5, list()),
  ];
  expect(checkHistory(history)).toEqual(['submission ada a was listed and is missing in a later list']);
});

test('finds a removed submission in a later list', () => {
  const history = [done(0, 1, upload('a')), done(2, 3, remove('a')), done(4, 5, list('a'))];
  expect(checkHistory(history)).toEqual(['submission a of ada was removed and is in a later list']);
});

test('finds a submission that is listed twice', () => {
  expect(checkHistory([done(2, 3, list('a', 'a'))])).toEqual(['a list of ada has a submission twice']);
});

test.each<JobState>(['Pending', 'Running', 'Failed'])('finds a job that goes from Finished to %s', (state) => {
  expect(checkHistory([done(0, 1, status('Finished')), done(2, 3, status(state))])).toEqual([
    `job j went from Finished to ${state}`,
  ]);
});

test('does not order overlapping reads', () => {
  expect(checkHistory([done(0, 5, status('Finished')), done(1, 6, status('Running'))])).toEqual([]);
});

test('finds a result that changes, or that does not sum to zero', () => {
  const changed = [
    done(0, 1, status('Finished', { ada: 1, bob: -1 })),
    done(2, 3, status('Finished', { ada: 2, bob: -2 })),
  ];
  expect(checkHistory(changed)).toEqual(['the result of job j has changed']);
  expect(checkHistory([done(0, 1, status('Finished', { ada: 1, bob: 0 }))])).toEqual(['the results of job j sum to 1']);
});

test('finds an accepted job that is unknown later, and an id that was assigned twice', () => {
  const start: Call = { call: 'start', jobId: 'j' };
  const lost = [done(0, 1, start), failed(2, 3, 'unknown', 404, { call: 'status', jobId: 'j' })];
  expect(checkHistory(lost)).toEqual(['job j was accepted and is not known later']);
  expect(checkHistory([done(0, 1, start), done(2, 3, start)])).toEqual(['job j was accepted twice']);
});

test('finds a result that was applied and is missing on the board, or counted twice', () => {
  const applied = [done(0, 1, publish('j', 2)), done(2, 3, publish('k', 3))];
  expect(checkHistory([...applied, done(4, 5, board(5))])).toEqual([]);
  expect(checkHistory([...applied, done(4, 5, board(2))])).toEqual([
    'a board differs from the 2 applied results: ada -3, bob 3',
  ]);
  expect(checkHistory([...applied, done(4, 5, board(7))])).toEqual([
    'a board differs from the 2 applied results: ada 2, bob -2',
  ]);
});

test('counts a result once if it was applied again after a lost response', () => {
  const history = [failed(0, 1, 'unknown', 0, publish('j', 2)), done(2, 3, publish('j', 2))];
  expect(checkHistory([...history, done(4, 5, board(2))])).toEqual([]);
  expect(checkHistory([...history, done(4, 5, board(4))])).toHaveLength(1);
});

test('allows an application in doubt to count completely or not at all', () => {
  const inDoubt = failed(0, 1, 'unknown', 0, publish('j', 2));
  expect(checkHistory([inDoubt, done(2, 3, board(0))])).toEqual([]);
  expect(checkHistory([inDoubt, done(2, 3, board(2))])).toEqual([]);
  expect(checkHistory([inDoubt, done(2, 3, { call: 'board', scores: { ada: 2, bob: 0 } })])).toHaveLength(1);
});

test('finds a refused application that counts', () => {
  const history = [failed(0, 1, 'refused', 429, publish('j', 2)), done(2, 3, board(2))];
  expect(checkHistory(history)).toHaveLength(1);
});

test.each([
  ['twice', ['1:1', '1:1']],
  ['out of order', ['1:1', '1:3']],
  ['of an earlier attempt', ['2:1', '1:2']],
  ['from the middle of a new attempt', ['1:1', '2:5']],
])('finds a hand that a watcher gets %s', (_, hands) => {
  expect(checkHistory([done(0, 1, watch('0:0', ...hands))])).toHaveLength(1);
});

test('expects that a watcher receives the next hand after reconnecting', () => {
  expect(checkHistory([done(0, 1, watch('1:7', '1:8'))])).toEqual([]);
  expect(checkHistory([done(0, 1, watch('1:7', '1:7'))])).toHaveLength(1);
});

const endedWatch = (last: number, handsPlayed: number, state = 'Finished'): Call => ({
  call: 'watch',
  jobId: 'j',
  after: '0:0',
  hands: Array.from({ length: last }, (_, at) => `1:${at + 1}`),
  ended: { state, handsPlayed, at: `1:${last}` },
});

test('finds a watch that ended before the last hand of its match', () => {
  expect(checkHistory([done(0, 1, endedWatch(3, 3))])).toEqual([]);
  expect(checkHistory([done(0, 1, endedWatch(2, 3))])).toEqual(['a watch of j ended after hand 2 of 3']);
  expect(checkHistory([done(0, 1, endedWatch(2, 3, 'Failed'))])).toEqual([]);
});

test('compares the end of a watch with the number of hands of the finished job', () => {
  const finished: Call = { call: 'status', jobId: 'j', state: 'Finished', result: {}, handsPlayed: 3 };
  expect(checkHistory([done(0, 1, endedWatch(2, 2)), done(2, 3, finished)])).toEqual([
    'a watch of j ended after hand 2 of 3',
  ]);
});

test('finds an accepted batch that is unknown later, and jobs that its list loses, doubles or adds', () => {
  const start: Call = { call: 'start-batch', batchId: 'b', jobs: 2 };
  const jobs = (...jobIds: string[]): Call => ({ call: 'batch-jobs', batchId: 'b', jobIds });
  const unknown = failed(2, 3, 'refused', 404, { call: 'batch-jobs', batchId: 'b' });
  expect(checkHistory([done(0, 1, start), done(2, 3, jobs('j')), done(4, 5, jobs('j', 'k'))])).toEqual([]);
  expect(checkHistory([done(0, 1, start), unknown])).toContain('batch b was accepted and is not known later');
  expect(checkHistory([done(0, 1, jobs('j', 'k')), done(2, 3, jobs('k'))])).toEqual([
    'job j was listed in batch b and is missing in a later list',
  ]);
  expect(checkHistory([done(0, 1, jobs('j', 'j'))])).toEqual(['a list of batch b has a job twice']);
  expect(checkHistory([done(0, 1, start), done(2, 3, jobs('j', 'k', 'l'))])).toEqual([
    'batch b has 3 jobs, accepted were 2',
  ]);
});

test('finds a finished match that was made public and is missing in the list of public matches', () => {
  const before = [done(0, 1, { call: 'make-public', jobId: 'j' }), done(2, 3, status('Finished'))];
  const list = (at: number, total: number): Recorded => done(at, at + 1, { call: 'public-matches', jobIds: [], total });
  expect(checkHistory([...before, list(20_000, 0)])).toEqual([
    'match j was made public and is missing in a later list of public matches',
  ]);
  // Cached responses are allowed, and lists of more than one page are not checked.
  expect(checkHistory([...before, list(5000, 0), list(20_000, 1)])).toEqual([]);
});

test('finds a session of another user', () => {
  expect(checkHistory([done(0, 1, { call: 'account', user: 'ada', read: 'ada' })])).toEqual([]);
  expect(checkHistory([done(0, 1, { call: 'account', user: 'ada', read: 'bob' })])).toEqual([
    'ada signed in and got a session of bob',
  ]);
});

test('counts reads of the board that are not checked because too many results are in doubt', () => {
  const inDoubt = Array.from({ length: 13 }, (_, at) => failed(at, 99, 'unknown', 0, publish(`j${at}`, 1)));
  expect(countSkippedReads([...inDoubt.slice(1), done(50, 51, board(3))])).toBe(0);
  expect(countSkippedReads([...inDoubt, done(50, 51, board(3))])).toBe(1);
});

test('finds a valid call that failed with an internal error', () => {
  expect(checkHistory([failed(0, 1, 'unknown', 500, { call: 'other', request: 'GET /live/now' })])).toEqual([
    'a valid GET /live/now failed with 500',
  ]);
});

test('finds a valid call that was refused as invalid', () => {
  expect(checkHistory([failed(0, 1, 'refused', 400, upload('a'))])).toEqual(['a valid upload was refused with 400: ']);
  expect(checkHistory([failed(0, 1, 'refused', 429, upload('a'))])).toEqual([]);
  expect(checkHistory([failed(0, 1, 'unknown', 503, upload('a'))])).toEqual([]);
});
