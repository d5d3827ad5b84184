import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Action } from '@husky/holdem/action';
import { Table } from '@husky/holdem/table';
import { describe, expect, it } from 'vitest';
import {
  CHUNK_HANDS,
  type ChunkContent,
  ChunkSize,
  decodeChunk,
  encodeChunk,
  MAX_DELIVERED_ACTIONS,
} from '../src/chunk.ts';
import { deckFor } from '../src/deck.ts';
import { type HandRecord, MAX_DETAIL_LENGTH, type RecordedAction, recordHand } from '../src/record.ts';
import { RULES_VERSION } from '../src/rules-version.ts';
import { playMatch, seed, seeded, sixMax } from './matches.ts';

const quick = { thinkMs: 0.3, faults: 0 };
const slow = { thinkMs: 150, faults: 0.05 };

const first = (chunks: readonly ChunkContent[]): ChunkContent => chunks[0] as ChunkContent;

const endOfHand = 255;
const patched = (at: number, value: number) => (plain: Buffer) => {
  plain[at] = value;
  return plain;
};

function outcomeOf(bytes: Buffer): unknown {
  try {
    return decodeChunk(bytes);
  } catch (error) {
    return error;
  }
}

describe('chunks', () => {
  it.each([2, 3, 4, 5, 6])('of whole matches with %i players decode to the encoded hands', (players) => {
    for (const playSeed of [1, 2, 3]) {
      const chunks = playMatch({ ...sixMax, players }, 500, slow, playSeed);
      for (const chunk of chunks) expect(decodeChunk(encodeChunk(chunk))).toEqual(chunk);
    }
  });

  it('of reset stacks decode to the encoded hands, with results below minus the starting stack', () => {
    const chunks = playMatch({ ...sixMax, startingStack: 200, stacks: 'reset' }, 500, slow);
    expect(chunks.map(({ resetStack }) => resetStack)).toEqual(chunks.map(() => 200));
    expect(Math.min(...chunks.flatMap(({ startStacks }) => startStacks))).toBeLessThan(0);
    for (const chunk of chunks) expect(decodeChunk(encodeChunk(chunk))).toEqual(chunk);
  });

  it('keep faults and requested actions', () => {
    const actions = playMatch(sixMax, 300, slow).flatMap((chunk) =>
      decodeChunk(encodeChunk(chunk)).hands.flatMap((hand) => hand.actions),
    );
    expect(new Set(actions.map(({ fault }) => fault)).size).toBe(9);
    expect(actions.some(({ detail, adjusted }) => adjusted && detail?.startsWith('RAISE'))).toBe(true);
  });

  it.each([
    ['fast bots', quick],
    ['bots that think up to 150 ms and fail now and then', slow],
  ])('of six-max play by %s take at most 60 bytes a hand', (_, style) => {
    const chunks = playMatch(sixMax, 1000, style);
    const bytes = chunks.reduce((sum, chunk) => sum + encodeChunk(chunk).length, 0);
    const hands = chunks.reduce((sum, chunk) => sum + chunk.hands.length, 0);
    expect(hands).toBeGreaterThan(200);
    expect(bytes / hands).toBeLessThanOrEqual(60);
  });

  it('are deterministic', () => {
    const chunk = first(playMatch(sixMax, 64, slow));
    expect(encodeChunk(structuredClone(chunk))).toEqual(encodeChunk(chunk));
  });

  it('have 1 to 64 hands', () => {
    const chunk = first(playMatch(sixMax, 64, quick));
    expect(() => encodeChunk({ ...chunk, hands: [] })).toThrow('1 to 64 hands');
    const tooMany = new Array<HandRecord>(CHUNK_HANDS + 1).fill(chunk.hands[0] as HandRecord);
    expect(() => encodeChunk({ ...chunk, hands: tooMany })).toThrow('1 to 64 hands');
  });

  it('refuse content that is not a recorded hand', () => {
    const chunk = first(playMatch(sixMax, 1, quick));
    const hand = chunk.hands[0] as HandRecord;
    const broken = (patch: object): ChunkContent => ({
      ...chunk,
      hands: [
        { ...hand, actions: hand.actions.map((action, index) => (index === 2 ? { ...action, ...patch } : action)) },
      ],
    });
    for (const patch of [{ amount: -1 }, { amount: 1.5 }, { amount: 2 ** 53 }, { ms: -1 }, { ms: 0.5 }]) {
      expect(() => encodeChunk(broken(patch))).toThrow('cannot be stored');
    }
    for (const patch of [{ seat: -1 }, { seat: 6 }, { kind: 0 }, { kind: 6 }]) {
      expect(() => encodeChunk(broken(patch))).toThrow('no action of this table');
    }
    for (const street of [-1, 2, 3]) expect(() => encodeChunk(broken({ street }))).toThrow('streets follow each other');
    const longest = broken({ kind: 5, seat: 5, detail: 'x'.repeat(MAX_DETAIL_LENGTH) });
    expect(decodeChunk(encodeChunk(longest))).toEqual(longest);
    expect(() => encodeChunk(broken({ detail: 'x'.repeat(MAX_DETAIL_LENGTH + 1) }))).toThrow('at most 160 characters');
    expect(() => encodeChunk({ ...chunk, hands: [{ ...hand, deltas: [0] }] })).toThrow('for every seat');
  });

  it('that were damaged are refused, unless the damage does not change what zstd decodes', () => {
    const chunk = first(playMatch(sixMax, 20, quick));
    const bytes = encodeChunk(chunk);
    let refused = 0;
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 0x10;
      const outcome = outcomeOf(damaged);
      if (outcome instanceof RangeError) refused += 1;
      else expect(outcome, `byte ${at}`).toEqual(chunk);
    }
    expect(refused).toBeGreaterThan(bytes.length * 0.95);
    expect(() => decodeChunk(bytes.subarray(0, -1))).toThrow(RangeError);
    expect(() => decodeChunk(Buffer.from('no chunk'))).toThrow('damaged or too large');
  });

  it.each<[string, (plain: Buffer) => Buffer, string]>([
    ['another format', patched(0, 3), 'unknown format'],
    ['one seat', patched(3, 1), 'has no table'],
    ['seven seats', patched(3, 7), 'has no table'],
    ['a next button at no seat', patched(16, 49), 'no such button'],
    ['no hand', patched(17, 0), '1 to 64 hands'],
    ['65 hands', patched(17, 65), '1 to 64 hands'],
    ['a byte after the columns', (plain) => Buffer.concat([plain, Buffer.alloc(1)]), 'bytes left over'],
    ['fewer hands than the columns have', patched(17, 2), 'bytes left over'],
    ['missing bytes', (plain) => plain.subarray(0, -1), 'the bytes end early'],
    ['no bytes', () => Buffer.alloc(0), 'the bytes end early'],
    ['a number above 2^53', (plain) => Buffer.concat([plain.subarray(0, 4), Buffer.alloc(12, 0xff)]), 'too large'],
    ['an unknown action', (plain) => patched(plain.indexOf(endOfHand) - 1, 240)(plain), 'unknown action'],
  ])('with %s are refused', (_, change, problem) => {
    const plain = zstdDecompressSync(encodeChunk(first(playMatch(sixMax, 3, quick))));
    expect(() => decodeChunk(zstdCompressSync(change(Buffer.from(plain))))).toThrow(problem);
  });

  it('with an unknown result are refused', () => {
    const chunk = first(playMatch(sixMax, 1, quick));
    const hands = chunk.hands.map((hand) => ({
      ...hand,
      actions: hand.actions.map(({ detail: _, ...action }) => action),
    }));
    const plain = zstdDecompressSync(encodeChunk({ ...chunk, hands }));
    // Without faults the last byte is the seat that wins every chip.
    expect(plain.at(-1)).toBeLessThan(6);
    const changed = patched(plain.length - 1, 7)(plain);
    expect(() => decodeChunk(zstdCompressSync(changed))).toThrow(new RangeError('the chunk has an unknown result'));
  });

  it('keep records that no legal hand has, for the re-deal to refuse them', () => {
    const chunk = first(playMatch(sixMax, 1, quick));
    const hand = chunk.hands[0] as HandRecord;
    const [small, big, third] = hand.actions as [RecordedAction, RecordedAction, RecordedAction];
    const fold = { ...third, kind: 1, amount: 0 } as const;
    for (const actions of [
      [],
      [small, big, { ...fold, amount: 7 }],
      [small, big, { ...fold, adjusted: true }],
      [small, big, { ...fold, fault: 'timeout' as const }],
      [small, big, { ...fold, detail: 'CHECK' }],
      [fold, { ...fold, kind: 2 as const }],
    ]) {
      const content = { ...chunk, hands: [{ ...hand, actions }, hand] };
      expect(decodeChunk(encodeChunk(content))).toStrictEqual(content);
    }
    const streets = ([0, 0, 1, 2, 3, 4] as RecordedAction['street'][]).map((street) => ({ ...small, street }));
    const tooLong = encodeChunk({ ...chunk, hands: [{ ...hand, actions: streets }] });
    expect(() => decodeChunk(tooLong)).toThrow(new RangeError('no street follows the river'));
  });

  it('keep the seats of the big blind before and of the next button', () => {
    const chunk = first(playMatch(sixMax, 3, quick));
    for (const bigBlindSeat of [null, 0, 5]) {
      for (const nextButton of [null, 0, 5]) {
        expect(decodeChunk(encodeChunk({ ...chunk, bigBlindSeat, nextButton }))).toMatchObject({
          bigBlindSeat,
          nextButton,
        });
      }
    }
    const beyond = encodeChunk({ ...chunk, nextButton: 6 });
    expect(() => decodeChunk(beyond)).toThrow(new RangeError('the chunk has no such button'));
  });

  it('keep results in which one seat takes everything, several share, or chips are missing', () => {
    const chunk = first(playMatch(sixMax, 1, quick));
    const hand = chunk.hands[0] as HandRecord;
    const paid = [0, 0, 0, 0, 0, 0];
    for (const { seat, amount } of hand.actions) paid[seat] = (paid[seat] as number) + amount;
    const pot = paid.reduce((sum, chips) => sum + chips, 0);
    const results = [
      [pot, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, pot],
      [0, pot - 1, 1, 0, 0, 0],
      [0, pot - 1, 0, 0, 0, 0],
      [-3, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
    ];
    for (const back of results) {
      const deltas = back.map((chips, seat) => chips - (paid[seat] as number));
      const content = { ...chunk, hands: [{ ...hand, deltas }] };
      expect(decodeChunk(encodeChunk(content)), back.join()).toEqual(content);
    }
  });

  it('with a longer text than a record may have are refused', () => {
    const chunk = first(playMatch(sixMax, 1, quick));
    const hand = chunk.hands[0] as HandRecord;
    const mark = 'x'.repeat(MAX_DETAIL_LENGTH);
    const withText = (detail: string): ChunkContent => ({
      ...chunk,
      hands: [
        { ...hand, actions: hand.actions.map((action, index) => (index === 2 ? { ...action, detail } : action)) },
      ],
    });
    const plain = zstdDecompressSync(encodeChunk(withText(mark)));
    const at = plain.indexOf(mark);
    const forged = (text: string) => {
      const bytes = Buffer.from(text);
      const length = [
        (bytes.length % 0x80) | 0x80,
        (Math.floor(bytes.length / 0x80) % 0x80) | 0x80,
        bytes.length >> 14,
      ];
      const parts = [plain.subarray(0, at - 2), Buffer.from(length), bytes, plain.subarray(at + mark.length)];
      return zstdCompressSync(Buffer.concat(parts));
    };
    for (const character of ['x', 'é', '€', '🂡']) {
      const longest = character.repeat(MAX_DETAIL_LENGTH / character.length);
      expect(decodeChunk(forged(longest))).toEqual(withText(longest));
      for (const text of [`${longest}${character}`, character.repeat(300_000)]) {
        expect(() => decodeChunk(forged(text))).toThrow(new RangeError('a text has at most 160 characters'));
      }
    }
  });

  it('with more actions, faults or texts than the reader permits are refused', () => {
    const chunk = first(playMatch(sixMax, 3, quick));
    const actions = chunk.hands.reduce((sum, hand) => sum + hand.actions.length, 0);
    const bytes = encodeChunk(chunk);
    expect(decodeChunk(bytes, actions)).toEqual(chunk);
    expect(() => decodeChunk(bytes, actions - 1)).toThrow(new RangeError('the chunk has too many actions'));
    const hands = chunk.hands.map((hand) => ({
      ...hand,
      actions: hand.actions.map((action): RecordedAction => ({ ...action, fault: 'timeout' })),
    }));
    expect(() => decodeChunk(encodeChunk({ ...chunk, hands }), actions - 1)).toThrow('too many actions');
    // The number of texts follows that of hands.
    const manyTexts = patched(18, 100)(zstdDecompressSync(bytes));
    expect(() => decodeChunk(zstdCompressSync(manyTexts), 99)).toThrow(new RangeError('the chunk has too many texts'));
  });

  it('of the longest hands can be delivered', () => {
    const table = new Table({ ...sixMax, blinds: { bigBlind: 1, multiplier: 1, interval: 1 } });
    const { stacks: startStacks, handNumber: _, ...last } = table.state;
    const hand = table.startHand(deckFor(seed, 1));
    // Each raise is called by everybody but the next to raise.
    for (let calls = 0; !hand.over; calls++) {
      const { canCheck, minRaise } = hand.options();
      if (minRaise > 0 && (canCheck || calls === 4)) {
        hand.act(Action.RAISE, minRaise);
        calls = -1;
      } else hand.act(canCheck ? Action.CHECK : Action.CALL);
    }
    const notes = hand.log.slice(2).map(() => ({ ms: 0 }));
    const hands = [recordHand(hand, 0, notes)];
    expect(hand.log.length).toBeGreaterThan(49_000);
    expect(hand.log.length).toBeLessThanOrEqual(60_029);
    const chunk = { rulesVersion: RULES_VERSION, firstHand: 1, startStacks, ...last, hands };
    expect(decodeChunk(encodeChunk(chunk), MAX_DELIVERED_ACTIONS)).toEqual(chunk);
  });

  it('are not larger than their hands are estimated', () => {
    for (const chunk of [...playMatch(sixMax, 300, slow), ...playMatch(sixMax, 300, { thinkMs: 1e9, faults: 0.5 })]) {
      const size = new ChunkSize();
      const estimates = chunk.hands.map((hand) => size.add(hand));
      expect(zstdDecompressSync(encodeChunk(chunk)).length).toBeLessThanOrEqual(estimates.at(-1) ?? 0);
    }
  });

  it('that exceed the size limit when decompressed are refused', () => {
    expect(() => decodeChunk(zstdCompressSync(Buffer.alloc(64 << 20)))).toThrow('damaged or too large');
  });

  it('with forged content decode or are refused with a RangeError', () => {
    const plain = zstdDecompressSync(encodeChunk(first(playMatch(sixMax, 30, slow))));
    const random = seeded(3);
    const fast = { params: { [constants.ZSTD_c_compressionLevel]: -7 } };
    let refused = 0;
    for (let trial = 0; trial < 3000; trial++) {
      const forged = Buffer.from(plain);
      for (let change = 0; change < 3; change++)
        forged[Math.floor(random() * forged.length)] = Math.floor(random() * 256);
      try {
        decodeChunk(zstdCompressSync(forged, fast));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});
