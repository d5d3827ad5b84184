import { createHash } from 'node:crypto';
import type { Match } from '../../services/live-data/src/domain/match.ts';
import { MatchSummary } from '../../services/live-data/src/domain/match-index.ts';
import { readChunk } from '../../services/live-data/src/domain/record.ts';
import { packSeries } from '../../services/live-data/src/domain/series.ts';
import { computeValues, sumsOfValues } from '../../services/live-data/src/standings/domain/match-values.ts';
import { matchOf, newMatch } from '../../services/live-data/test/new-match.ts';
import { type PlayedMatch, playMatch } from '../../services/live-data/test/play.ts';

/** A played match. It is stored for all seeded matches with its number of players and hands. */
export interface Shape {
  readonly players: number;
  readonly hands: number;
  readonly seedHex: string;
  readonly chunkHex: string;
  readonly seriesHex: string;
  /** The index that live-data computes after a match. It is seeded, so that live-data does not compute it for all matches. */
  readonly index: {
    readonly bytesHex: string;
    readonly bestNets: readonly number[];
    readonly worstNets: readonly number[];
    readonly playHex: readonly string[];
  };
  readonly values: { readonly bytesHex: string; readonly sums: readonly number[] };
  readonly deltas: readonly number[];
}

export async function playShape(players: number, numRounds: number): Promise<Shape> {
  const seed = createHash('sha256').update(`seed of ${players} players`).digest();
  const playerIds = newMatch().playerIds.slice(0, players);
  const test = newMatch({ playerIds, numRounds, seed });
  const play: PlayedMatch = playMatch(test);
  const [chunk] = play.chunks;
  if (!chunk || play.chunks.length !== 1) throw new Error('a seeded match must be one chunk');
  const series = playerIds.map((_, seat) => {
    let sum = 0;
    return play.records.map((record) => {
      sum += record.deltas[seat] ?? 0;
      return sum;
    });
  });
  const match: Match = { ...matchOf(test), status: 'Finished', acceptedAttempt: 1, hands: numRounds };
  const summary = new MatchSummary(match);
  summary.add(readChunk(chunk.bytes));
  const index = await summary.index();
  const values = computeValues({ match, chunks: [chunk.bytes] });
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return {
    index: {
      bytesHex: hex(index.bytes),
      bestNets: index.bestNets,
      worstNets: index.worstNets,
      playHex: index.play.map(hex),
    },
    values: { bytesHex: hex(values), sums: sumsOfValues(values) },
    players,
    hands: play.records.length,
    seedHex: seed.toString('hex'),
    chunkHex: chunk.bytes.toString('hex'),
    seriesHex: packSeries(series).toString('hex'),
    deltas: play.stacks.map((stack) => stack - 10_000),
  };
}
