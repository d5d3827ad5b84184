import { readdirSync, readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { Table, type TableSetup } from '@husky/holdem/table';
import { describe, expect, it } from 'vitest';
import { decodeChunk, encodeChunk } from '../src/chunk.ts';
import { digestNext, digestStart } from '../src/digest.ts';
import { redeal } from '../src/replay.ts';
import { RULES_VERSION } from '../src/rules-version.ts';

/** A match as a release stored it. stored/write.ts wrote the files; existing files never change. */
interface StoredMatch {
  readonly writtenBy: string;
  readonly matchId: string;
  readonly attempt: number;
  readonly seed: string;
  readonly setup: Omit<TableSetup, 'rulesVersion'>;
  readonly hands: number;
  readonly results: readonly number[];
  readonly digest: string;
  readonly chunks: readonly string[];
}

const folder = new URL('./stored/', import.meta.url);
const matches = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as StoredMatch);

const rulesOf = ({ chunks: [first = ''] }: StoredMatch): number =>
  decodeChunk(Buffer.from(first, 'base64')).rulesVersion;
const bytesOf = ({ chunks }: StoredMatch): Buffer[] => chunks.map((chunk) => Buffer.from(chunk, 'base64'));

/** Re-deals a stored match; returns its results by seat, the number of its hands and its digest. */
function verify(match: StoredMatch, setup = match.setup, rulesVersion = rulesOf(match)) {
  const table = new Table({ ...setup, rulesVersion });
  let digest = digestStart(match.matchId, match.attempt);
  const results = new Array<number>(setup.players).fill(0);
  for (const bytes of bytesOf(match)) {
    const content = { ...decodeChunk(bytes), rulesVersion };
    for (const { number, hand, record } of redeal(Buffer.from(match.seed, 'hex'), table, content)) {
      digest = digestNext(digest, number, record);
      for (const [seat, delta] of hand.deltas.entries()) results[seat] = (results[seat] as number) + delta;
    }
  }
  return { results, hands: table.handNumber, digest: digest.toString('hex') };
}

describe('matches stored by earlier releases', () => {
  it('are of both formats, of every rules version, and of matches with carried, reset and repeated deals', () => {
    const contents = matches.flatMap((match) =>
      bytesOf(match).map((bytes) => [zstdDecompressSync(bytes)[0], bytes] as const),
    );
    expect(new Set(contents.map(([format]) => format))).toEqual(new Set([1, 2]));
    const versions = new Set(contents.map(([, bytes]) => decodeChunk(bytes).rulesVersion));
    expect(versions).toEqual(new Set(Array.from({ length: RULES_VERSION }, (_, index) => index + 1)));
    expect(matches.map(({ matchId }) => matchId)).toEqual([
      'carry-dead-button',
      'carry-heads-up',
      'carry-moving-button',
      'carry-seeded-seats',
      'carry-six',
      'carry-until-bust',
      'duplicate-seating-1',
      'duplicate-seating-2',
      'reset-six',
      'reset-three',
    ]);
  });

  it.each(matches)('$matchId, written by $writtenBy, re-deals to the same hands, results and digest', (match) => {
    const { results, hands, digest } = match;
    expect(verify(match)).toEqual({ results, hands, digest });
  });

  it.each<[string, number, string]>([
    ['carry-moving-button', 2, 'dead'],
    ['carry-dead-button', 1, 'posted'],
  ])('%s does not re-deal with rules %i, by which the small blind is %s', (matchId, rulesVersion, smallBlind) => {
    const match = matches.find((one) => one.matchId === matchId) as StoredMatch;
    expect(() => verify(match, match.setup, rulesVersion)).toThrow(`: the small blind is ${smallBlind}`);
  });

  it.each(matches)('$matchId is encoded to the same bytes again', (match) => {
    for (const bytes of bytesOf(match)) {
      expect(zstdDecompressSync(encodeChunk(decodeChunk(bytes)))).toEqual(zstdDecompressSync(bytes));
    }
  });

  it.each(matches)('$matchId does not re-deal with other blinds or another seed', (match) => {
    const { blinds } = match.setup;
    const others = { ...match.setup, blinds: { ...blinds, bigBlind: blinds.bigBlind + 2 } };
    expect(() => verify(match, others)).toThrow(/^hand 1: /);
    expect(() => verify({ ...match, seed: 'ff'.repeat(32) })).toThrow(/^hand \d+: /);
  });
});
