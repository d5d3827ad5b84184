import { createHash } from 'node:crypto';
import { packSeries } from '../../services/live-data/src/domain/series.ts';
import { newMatch } from '../../services/live-data/test/new-match.ts';
import { type PlayedMatch, playMatch } from '../../services/live-data/test/play.ts';

/** One played match, stored for every seeded match of the same shape: all of them share seed, seats and blinds. */
export interface Shape {
  readonly players: number;
  readonly hands: number;
  readonly seedHex: string;
  readonly chunkHex: string;
  readonly seriesHex: string;
  readonly deltas: readonly number[];
}

export function playShape(players: number, numRounds: number): Shape {
  const seed = createHash('sha256').update(`seed of ${players} players`).digest();
  const playerIds = newMatch().playerIds.slice(0, players);
  const play: PlayedMatch = playMatch(newMatch({ playerIds, numRounds, seed }));
  const [chunk] = play.chunks;
  if (!chunk || play.chunks.length !== 1) throw new Error('a seeded match must be one chunk');
  const series = playerIds.map((_, seat) => {
    let sum = 0;
    return play.records.map((record) => {
      sum += record.deltas[seat] ?? 0;
      return sum;
    });
  });
  return {
    players,
    hands: play.records.length,
    seedHex: seed.toString('hex'),
    chunkHex: chunk.bytes.toString('hex'),
    seriesHex: packSeries(series).toString('hex'),
    deltas: play.stacks.map((stack) => stack - 10_000),
  };
}
