import { createHash } from 'node:crypto';
import type { TableSetup } from '@husky/holdem/table';
import { expect, it } from 'vitest';
import type { ChunkContent } from '../src/chunk.ts';
import { describeFault } from '../src/fault.ts';
import { actionsOf, type GameData } from '../src/game-data.ts';
import { gameData, gameJson, nameGame } from '../src/game-json.ts';
import { jsonlWriter, phhWriter } from '../src/match-file.ts';
import { phhOf } from '../src/phh.ts';
import { PlayDigest, playedFacts } from '../src/play-digest.ts';
import { playedHands } from '../src/played-hands.ts';
import { actionNamed, publishedHandOf } from '../src/published-hand.ts';
import { playMatch, seed, sixMax } from './matches.ts';

const short: TableSetup = { ...sixMax, startingStack: 300 };
const names = ['ann', 'bob', 'cy', 'dee', 'eve', 'fay'];
const style = { thinkMs: 20, faults: 0.05 };

function gamesOf(chunks: readonly ChunkContent[], setup: TableSetup, mayRead: (seat: number) => boolean): GameData[] {
  return chunks.flatMap((content) =>
    [...playedHands(seed, setup, content, mayRead)].map((hand) =>
      nameGame(JSON.parse(gameJson('the-match', hand)), names),
    ),
  );
}
const chunks = playMatch(short, 150, style);
const records = chunks.flatMap(({ hands }) => hands);
const games = () => gamesOf(chunks, short, (seat) => seat === 2);

it('reads the recorded facts from published game data', () => {
  let chips = names.map(() => 300);
  for (const [index, game] of games().entries()) {
    const record = records[index] as (typeof records)[number];
    const hand = publishedHandOf(game, index + 1);
    expect(hand).toMatchObject({ number: index + 1, startedAtMs: record.startedAtMs, deltas: record.deltas });
    expect(hand.startStacks).toEqual(chips);
    chips = chips.map((stack, seat) => stack + (record.deltas[seat] as number));
    expect(hand.finalStacks).toEqual(chips);
    expect(hand.holeCards.map(({ length }) => length)).toEqual(hand.startStacks.map((stack) => (stack > 0 ? 2 : 0)));
    expect(hand.actions.map(({ street, seat, kind, amount }) => ({ street, seat, kind, amount }))).toEqual(
      record.actions.map(({ street, seat, kind, amount }) => ({ street, seat, kind, amount })),
    );
  }
  expect(chips).toContain(0);
});

it('shows every fault and adjusted action where it was played', () => {
  const codes = records.map(({ actions }) =>
    actions.map(({ fault, adjusted }) => fault ?? (adjusted ? 'adjusted' : undefined)),
  );
  expect(games().map((game) => actionsOf(game).map(({ verdict }) => verdict))).toEqual(codes);
  expect(codes.flat()).toContain('timeout');
  expect(codes.flat()).toContain('adjusted');
});

it('shows the texts of a bot only to a reader who may read them, and those of the dealer to everybody', () => {
  const texts = new Set<boolean>();
  const shown = games();
  for (const [index, { actions }] of records.entries()) {
    const noted = actions.filter(({ fault, adjusted }) => fault !== undefined || adjusted);
    const verdicts = (shown[index] as { verdicts?: { seat: number; text: string }[] }).verdicts ?? [];
    const expected = noted.map(({ seat, fault, detail }) => {
      if (fault === undefined) return { seat, text: `the action was changed to the nearest legal one: ${detail}` };
      texts.add(seat === 2);
      return { seat, text: seat === 2 ? `${describeFault(fault)}: ${detail}` : describeFault(fault) };
    });
    expect(verdicts.map(({ seat, text }) => ({ seat, text }))).toEqual(expected);
  }
  expect(texts.size).toBe(2);
});

it('shows the kind of a fault that has no text', () => {
  const [content] = playMatch(short, 60, style) as [ChunkContent];
  const silent = {
    ...content,
    hands: content.hands.map((hand) => ({
      ...hand,
      actions: hand.actions.map(({ detail: _, ...action }) => action),
    })),
  };
  const hands = [...playedHands(seed, short, silent, () => true)];
  const texts = new Set(hands.flatMap(({ verdicts }) => verdicts.map(({ text }) => text)));
  expect(texts).toContain('the action was changed to the nearest legal one');
  expect(texts).toContain('did not answer in time');
  expect([...texts].filter((text) => text.includes(':'))).toEqual([]);
});

it('shows results of the match since its start, with carried and with reset stacks', () => {
  for (const stacks of ['carry', 'reset'] as const) {
    const setup: TableSetup = { ...short, stacks };
    let results = names.map(() => 0);
    for (const hand of playMatch(setup, 90, style).flatMap((content) => [
      ...playedHands(seed, setup, content, () => true),
    ])) {
      results = results.map((chips, seat) => chips + (hand.deltas[seat] as number));
      expect(hand.matchDeltas).toEqual(results);
    }
  }
});

it('names the players by seat and by id', () => {
  const hand = playedHands(seed, sixMax, playMatch(sixMax, 1, style)[0] as ChunkContent, () => true).next().value;
  if (hand === undefined) throw new Error('no hand was played');
  const game = gameData('a', hand);
  expect(game).toMatchObject({ playerNames: { 0: 'player1', 5: 'player6' }, usernameMapping: {} });
  expect(nameGame(game, ['ann', 'bob'])).toBe(game);
  expect(game).toMatchObject({
    playerNames: { 0: 'ann', 1: 'bob' },
    usernameMapping: { ann: 1, bob: 2 },
    playerIdToUsername: { 1: 'ann', 2: 'bob' },
  });
});

it('shows blinds and times of actions', () => {
  for (const [index, game] of games().entries()) {
    const { startedAtMs, actions } = records[index] as (typeof records)[number];
    expect(game.blinds).toEqual({ small: 5, big: 10 });
    expect(actionsOf(game).map(({ timestamp }) => timestamp)).toEqual(actions.map(({ ms }) => startedAtMs + ms));
  }
});

it('reads a hand without actions, whose start is unknown', () => {
  expect(publishedHandOf({ ...folded, rounds: {} }, 1)).toMatchObject({ startedAtMs: Number.NaN, actions: [] });
});

it('refuses an action with an unknown name', () => {
  expect(actionNamed('ALL IN')).toBe(5);
  expect(() => actionNamed('BET')).toThrow(new RangeError("no action has the name 'BET'"));
});

const folded: GameData = {
  gameId: 'g',
  rounds: {
    0: {
      action_sequence: [
        { player: 0, action: 'RAISE', amount: 5, timestamp: 1000, total_pot_after_action: 5 },
        { player: 1, action: 'RAISE', amount: 10, timestamp: 1000, total_pot_after_action: 15 },
        { player: 0, action: 'FOLD', amount: 0, timestamp: 1007, total_pot_after_action: 15 },
      ],
    },
  },
  playerNames: { 0: 'ann', 1: 'b\u007fb', 2: 'out' },
  blinds: { small: 5, big: 10 },
  finalBoard: [],
  playerMoney: {
    startingMoney: { 1: 100, 2: 200, 3: 0 },
    finalMoney: { 1: 95, 2: 205, 3: 0 },
    thisGameDelta: { 1: -5, 2: 5, 3: 0 },
  },
  playerHands: { 0: ['Ah', 'Kd'], 1: ['2c', '2d'] },
  button: 0,
  verdicts: [{ round: 0, index: 2, code: 'timeout' }],
};
const facts =
  '[7,0,[5,10],[["Ah","Kd"],["2c","2d"],[]],[],[[0,0,"RAISE",5,null],[0,1,"RAISE",10,null],[0,0,"FOLD",0,"timeout"]],[-5,5,0]]';

it('digests what was dealt and played, without times and names', () => {
  const sha256 = (...parts: (string | Buffer)[]) =>
    parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest();
  expect(playedFacts(folded, 7)).toBe(facts);
  const digest = new PlayDigest();
  const start = sha256('husky-holdem play 1');
  expect(digest.hex).toBe(start.toString('hex'));
  digest.add(folded, 7);
  const first = sha256(start, facts);
  expect(digest.hex).toBe(first.toString('hex'));
  digest.add(folded, 8);
  expect(digest.hex).toBe(sha256(first, facts.replace('[7', '[8')).toString('hex'));
});

const end = { complete: true, hands: 1, play_digest: 'd' } as const;

it('writes a match as JSON lines', () => {
  expect(jsonlWriter).toMatchObject({ extension: 'jsonl', contentType: 'application/x-ndjson; charset=utf-8' });
  expect(jsonlWriter.start({ players: ['ann'] })).toBe('{"type":"manifest","players":["ann"]}\n');
  expect(jsonlWriter.hand(folded, 7, 'm')).toBe(`{"type":"hand","hand":7,"game_data":${JSON.stringify(folded)}}\n`);
  expect(jsonlWriter.end(end)).toBe('{"type":"end","complete":true,"hands":1,"play_digest":"d"}\n');
});

it('writes a match as Poker Hand History, whose comments have no DEL, which TOML forbids', () => {
  expect(phhWriter).toMatchObject({ extension: 'phhs', contentType: 'application/toml' });
  expect(phhWriter.start({ players: ['b\u007fb'] })).toBe('# manifest {"players":["b\\u007fb"]}\n\n');
  expect(phhWriter.hand(folded, 7, 'm')).toBe(`[7]\n${phhOf(folded, 7, 'm')}\n`);
  expect(phhWriter.end(end)).toBe('# end {"complete":true,"hands":1,"play_digest":"d"}\n');
});
