// @vitest-environment happy-dom
import { publishedRecord, sha256Hex } from '@husky/match/commitment';
import { withSignature } from '@husky/match/file-signature';
import { fileText, signNote } from '@husky/match/signed-note';
import { mutationsOf } from '@husky/testkit/mutations';
import { noteSigner } from '@husky/testkit/note-signer';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import file from './fixtures/match.jsonl?raw';
import { createVerification, type Verification, type VerifyMessage } from './verify-file.ts';
import { VerifyMatch } from './verify-match.tsx';

// Twelve hands with faults, played and exported by live-data's own code.
const manifest = JSON.parse(file.slice(0, file.indexOf('\n')));
const signer = noteSigner();
const proof = {
  jobId: manifest.job_id,
  commitment: manifest.commitment,
  publicInput: manifest.commitment_input,
  seed: manifest.seed,
  record: publishedRecord(manifest.commitment_record),
  seedProof: null,
};

interface Game {
  readonly playerHands: Record<string, string[]>;
  readonly rounds: Record<string, { action_sequence: unknown[] }>;
  readonly playerNames: Record<string, string>;
  readonly playerMoney: Record<'finalMoney' | 'gameScores', Record<string, number>>;
}

/** Runs the code of the worker in the page, because happy-dom has no workers. */
class PageWorker extends EventTarget {
  readonly #handle = createVerification();
  postMessage(message: VerifyMessage) {
    const data: Verification = this.#handle(message);
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })));
  }
  terminate() {
    // Nothing runs beside the page.
  }
}

beforeEach(() => vi.stubGlobal('Worker', PageWorker));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Replaces the network: the chain's records and the file of the match. */
function serve(download: BodyInit | Response, links: object[] = manifest.commitment_links) {
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.startsWith('/live/commitments')) return Response.json({ commitments: links, head: null });
    if (url === '/live/signed-head') return Response.json({ keys: [{ key: signer.key.text }] });
    return download instanceof Response ? download : new Response(download);
  });
}

async function verify(changed: Partial<typeof proof> = {}): Promise<string> {
  render(
    <MemoryRouter>
      <VerifyMatch proof={{ ...proof, ...changed }} />
    </MemoryRouter>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Verify' }));
  await vi.waitFor(
    () => expect(screen.queryByText(/re-dealt from|^Not verified|could not be verified/)).not.toBeNull(),
    10_000,
  );
  return screen.getByText(/re-dealt from|^Not verified|could not be verified/).textContent;
}

/** Returns the file with one hand changed. */
function withHand(number: number, change: (game: Game) => unknown): string {
  return file
    .split('\n')
    .map((text) => {
      if (text === '') return text;
      const line = JSON.parse(text);
      if (line.hand === number) change(line.game_data);
      return JSON.stringify(line);
    })
    .join('\n');
}

it('says in one sentence what was proved, and what was not', async () => {
  serve(file);
  expect(await verify()).toBe('12 hands re-dealt from the committed seed: all cards, actions and payouts are right.');
  expect(screen.getByText(/record 2 of the chain, made before the first hand/)).toBeDefined();
  expect(
    screen.getByText(/Not covered: that the seed was random and unseen; names of players; .*times; /),
  ).toBeDefined();
  expect(screen.getByRole('link', { name: 'What this proves' }).getAttribute('href')).toMatch(/^\/fairness#/);
  expect(screen.getByRole('button', { name: 'Verify' })).toBeDefined();
});

it('verifies a file that arrives in small parts', async () => {
  const bytes = new TextEncoder().encode(file);
  serve(
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 1000) controller.enqueue(bytes.slice(at, at + 1000));
        controller.close();
      },
    }),
  );
  expect(await verify()).toMatch(/^12 hands re-dealt/);
});

it.each([
  ['card', (game: Game) => Object.values(game.playerHands)[0]?.reverse(), /^Hand 7: cards of seat \d: expected/],
  ['action', (game: Game) => game.rounds[0]?.action_sequence.pop(), /^Hand 7: it ends while|^Hand 7: player of action/],
  ['payout', (game: Game) => Object.assign(game.playerMoney.finalMoney, { 1: 1 }), /^Hand 7: stacks after the hand/],
  [
    'name',
    (game: Game) => Object.assign(game.playerNames, { 0: 'bob', 1: 'ann' }),
    /^Hand 7: playerNames[.]0: expected ann, found bob/,
  ],
  [
    'score',
    (game: Game) => Object.assign(game.playerMoney.gameScores, { 1: 7 }),
    /^Hand 7: playerMoney[.]gameScores[.]1: /,
  ],
  ['form', (game: Game) => Object.assign(game, { rounds: null }), /^Hand 7: it cannot be read/],
])('names the hand with a changed %s', async (_, change, reason) => {
  serve(withHand(7, change));
  expect((await verify()).replace('Not verified. ', '')).toMatch(reason);
});

it('refuses every kind of field that is changed, or lists it as not covered', () => {
  const lines = file.trimEnd().split('\n');
  const seen = new Set<string>();
  const missed: string[] = [];
  for (const [index, line] of lines.entries()) {
    for (const { kind, document } of mutationsOf(JSON.parse(line), seen)) {
      const handle = createVerification();
      handle({ ...proof, links: manifest.commitment_links, keys: [] });
      const text = `${lines.with(index, JSON.stringify(document)).join('\n')}\n`;
      let found = handle(new TextEncoder().encode(text));
      if (found.state === 'running') found = handle(null);
      if (found.state === 'failed') continue;
      const fields = found.state === 'verified' ? found.notCovered.flatMap((one) => one.fields) : [];
      const field = kind.replace('game_data.', '');
      if (!fields.some((one) => field === one || field.startsWith(`${one}.`))) missed.push(kind);
    }
  }
  expect(missed).toEqual([]);
  expect(seen.size).toBeGreaterThan(80);
});

it.each([
  ['signed', signer, (text: string) => text, /12 hands re-dealt/, /The file is signed by the site/],
  ['signed by another key', noteSigner(), (text: string) => text, /12 hands/, /a key that the site does not show/],
  [
    'changed after it was signed',
    signer,
    (text: string) => text.replace('"type":"manifest"', '"type":"manifest","made_at":"1999"'),
    /^Not verified. signature: its signature is that of another content/,
    /Not verified/,
  ],
])('says of a file whether it was %s', async (_, by, change, result, note) => {
  const hash = sha256Hex(file);
  serve(change(withSignature(file, signNote(fileText(by.key.name, 'match', hash), [by]))));
  expect(await verify()).toMatch(result);
  expect(screen.getByText(note)).toBeDefined();
});

it('refuses another seed, another chain and half a file', async () => {
  serve(file);
  expect(await verify({ seed: 'ab'.repeat(32) })).toMatch(/^Not verified. Hash of the seed and the committed facts/);
  cleanup();
  serve(file, manifest.commitment_links.slice(0, 1));
  expect(await verify()).toBe('Not verified. Record 2 is not in the chain.');
  cleanup();
  serve(file.slice(0, -40));
  expect(await verify()).toBe('Not verified. The download ended before the last hand.');
});

it("shows the server's reason if the hands cannot be loaded, and can be pressed again", async () => {
  serve(Response.json({ detail: 'Too many downloads are running' }, { status: 429 }));
  expect(await verify()).toBe('The match could not be verified now. Too many downloads are running');
  serve(file);
  fireEvent.click(screen.getByRole('button', { name: 'Verify' }));
  await screen.findByText(/12 hands re-dealt/);
});

it('can be cancelled', async () => {
  serve(
    new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(file.slice(0, 9000))) }),
  );
  render(
    <MemoryRouter>
      <VerifyMatch proof={proof} />
    </MemoryRouter>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Verify' }));
  await screen.findByText(/^[1-9]\d* of 12 hands$/);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByText(/of 12 hands/)).toBeNull();
  expect(screen.getByRole('button', { name: 'Verify' })).toBeDefined();
});
