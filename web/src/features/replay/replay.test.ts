import { describe, expect, it } from 'vitest';
import { replayErrorText } from '../../components/hand-status.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { sampleLog } from '../../table/sample-log.ts';
import { embedCode } from './embed-dialog.tsx';
import { positionFrom, searchOf } from './position.ts';
import { neighboursOf } from './replay-page.tsx';
import { readUpload, type UploadedFile } from './upload-replay-page.tsx';

const file = (name: string, text: string, parts: Partial<UploadedFile> = {}): UploadedFile => ({
  name,
  type: '',
  size: text.length,
  text: async () => text,
  ...parts,
});
const log = JSON.stringify(sampleLog([]));

describe('an uploaded file', () => {
  it('may have exactly 8 MiB', async () => {
    const limit = 8 * 1024 * 1024;
    expect((await readUpload(file('game.json', log, { size: limit }))).ok).toBe(true);
    const larger = await readUpload(file('game.json', log, { size: limit + 1 }));
    expect(larger).toMatchObject({ ok: false, detail: 'The file has 9 MB; the log of one hand has at most 8 MB.' });
  });
  it('is accepted by its type or by its name', async () => {
    expect(await readUpload(file('hand.JSON', log))).toMatchObject({ ok: true });
    expect(await readUpload(file('hand', log, { type: 'application/json' }))).toMatchObject({ ok: true });
    expect(await readUpload(file('hand.txt', log))).toEqual({
      ok: false,
      error: 'Please upload a valid JSON file.',
      detail: '',
    });
  });

  it('is not read if it is too large', async () => {
    const huge = file('hand.json', '', { size: 100 * 1024 * 1024, text: () => Promise.reject(new Error('was read')) });
    expect(await readUpload(huge)).toMatchObject({
      error: 'Please upload a valid JSON file.',
      detail: expect.stringContaining('100 MB'),
    });
  });

  it('is refused with the cause if it cannot be read or parsed', async () => {
    const unreadable = file('hand.json', '', { text: () => Promise.reject(new Error('unreadable')) });
    expect(await readUpload(unreadable)).toMatchObject({ ok: false, detail: 'The file could not be read.' });
    expect(await readUpload(file('hand.json', '{'))).toMatchObject({
      error: 'Invalid JSON file. Please check the file format.',
    });
    expect(await readUpload(file('hand.json', '{}'))).toMatchObject({
      error: 'Invalid game data format. Please check the JSON structure.',
    });
  });
});

describe('a position in a replay', () => {
  it.each([
    ['', 'action', 0],
    ['step=4', 'action', 3],
    ['mode=results&step=2', 'round', 1],
    ['step=0', 'action', 0],
    ['step=-3', 'action', 0],
    ['step=1.5', 'action', 0],
    ['step=x', 'action', 0],
  ])('is parsed from ?%s', (search, mode, step) => {
    expect(positionFrom(new URLSearchParams(search))).toEqual({ mode, step });
  });

  it('is written to the query', () => {
    expect(searchOf({ mode: 'round', step: 2 }).toString()).toBe('mode=results&step=3');
    expect(searchOf({ mode: 'action', step: 0 }).toString()).toBe('');
  });
});

describe('neighbouring hands', () => {
  const games = [10, 2, 1].map((hand) => ({ game_id: `g${hand}`, game_uuid: String(hand) }));

  it('are found by number, not by text order', () => {
    expect(neighboursOf('g2', games)).toEqual({ previous: games[2], next: games[0] });
    expect(neighboursOf('g1', games).previous).toBeNull();
    expect(neighboursOf('other', games)).toEqual({ previous: null, next: null });
  });
});

describe('error texts', () => {
  it.each([
    [403, 'This game is private and cannot be accessed.'],
    [404, 'Game not found.'],
    [500, 'Failed to load game data.'],
    [0, 'Failed to load game data.'],
  ])("of status %i do not depend on the server's detail", (status, text) => {
    expect(replayErrorText(new ApiError({ status, detail: 'other' }))).toBe(text);
  });
});

it('the HTML of an embedded replay escapes the address', () => {
  expect(embedCode('https://arena.example.org', 'a"b', 'mode=results&step=3')).toBe(
    '<iframe src="https://arena.example.org/embed/replay/a%22b?mode=results&amp;step=3" width="800" height="680" title="Poker replay" allow="fullscreen" loading="lazy"></iframe>',
  );
});
