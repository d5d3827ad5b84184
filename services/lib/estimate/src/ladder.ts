import { choleskyOf, forward, solve } from './ladder-algebra.ts';
import { type LadderPlayer, type LadderRating, rateField } from './ladder-ratings.ts';
import { decodeLadder, encodeLadder, type LadderEntry, type LadderState } from './ladder-state.ts';

/** Version of the numbers: a change of the model or its constants computes every ladder again from its stored sets. */
export const LADDER_VERSION = 1;

/** The six rotations of one deal set. */
export interface LadderSet {
  /** Hands that each player was dealt. */
  readonly hands: number;
  readonly seats: readonly LadderSeat[];
}

export interface LadderSeat {
  /** An opaque key of a version of a bot. */
  readonly player: string;
  /** Chips won in all hands of the set, without luck. */
  readonly value: number;
  /** The version that this one replaces. Read in the first set of a player. */
  readonly predecessor?: string | null;
}

/** Standard deviations in big blinds per 100 hands. */
const prior = { strength: 1000, change: 100, noise: 100 };
/** Seats that the prior noise of all, and the pooled noise in that of one player, count for. */
const priorSeats = { pooled: 12, own: 6 };
/** Least noise of a player, as a part of the pooled one. */
const leastNoise = 0.05;
const per100 = 100;

/**
 * Ratings of a field that plays all the time. Kalman filter of an additive model: in a set the player $i$ wins
 * $x_i$ less the mean $x$ of its opponents, $x_i = \theta_i + \varepsilon_i$, with a variance of $\varepsilon_i$ of its own, learned from
 * earlier sets. Adding a set costs 5 N^2 operations. The numbers depend on the sets and their order alone: the same sets in the same
 * order give the same bits on every machine; another order gives other weights, and so other numbers within the intervals.
 */
export class Ladder {
  readonly #state: LadderState;
  readonly #index: Map<string, number>;
  /** Covariances, rows of `#room` numbers. */
  #covariance: Float64Array;
  #room: number;

  private constructor(state: LadderState, covariance: Float64Array, room: number) {
    this.#state = state;
    this.#covariance = covariance;
    this.#room = room;
    this.#index = new Map(state.players.map((player, index) => [player, index]));
  }

  /** `bigBlind`: chips of a big blind in the ladder's sets; the scale of the priors. */
  static empty(bigBlind: number): Ladder {
    if (!(bigBlind > 0)) throw new RangeError('the big blind must be positive');
    const state = { version: LADDER_VERSION, bigBlind, sets: 0, noise: 0, weight: 0, players: [], entries: {} };
    return new Ladder(state, new Float64Array(16 * 16), 16);
  }

  /** Returns the ladder that `save` has written; null if another version has. Adding further sets gives the same bits as without the pause. */
  static load(bytes: Uint8Array): Ladder | null {
    const { state, covariance } = decodeLadder(bytes);
    return state.version === LADDER_VERSION ? new Ladder(state, covariance, state.players.length) : null;
  }

  save(): Uint8Array {
    return encodeLadder(this.#state, (row, column) => this.#at(row, column));
  }

  /** Number of sets that were added. */
  get sets(): number {
    return this.#state.sets;
  }

  /**
   * Adds a set; a player that is new starts. Throws RangeError, and changes nothing, for a set without hands, with fewer than two seats, with
   * one player in two seats, or with a value that is no number.
   */
  add(set: LadderSet): void {
    checkSet(set);
    const { seats, hands } = set;
    for (const { player, predecessor } of seats) this.#start(player, predecessor ?? null);
    const rows = seats.map(({ player }) => this.#index.get(player) as number);
    const entries = seats.map(({ player }) => this.#state.entries[player] as LadderEntry);
    const noise = entries.map((entry) => (this.#noiseOf(entry) * per100) / hands);
    // Differences to the last seat: what all have in common says nothing. A difference of values counts what either gives to the other twice.
    const scale = ((seats.length - 1) / seats.length) * (per100 / hands);
    const last = seats.length - 1;
    const value = (seat: number) => scale * (seats[seat] as LadderSeat).value - (entries[seat] as LadderEntry).strength;
    const covariance = (a: number, b: number) =>
      this.#at(rows[a] as number, rows[b] as number) + (a === b ? (noise[a] as number) : 0);
    const innovation = Array.from({ length: last }, (_, seat) => value(seat) - value(last));
    const between = innovation.map((_, a) =>
      innovation.map((__, b) => covariance(a, b) - covariance(a, last) - covariance(last, b) + covariance(last, last)),
    );
    const root = choleskyOf(between);
    this.#learn(entries, { hands, noise, root, innovation });
    this.#update(rows, root, innovation);
    this.#state.sets += 1;
    for (const entry of entries) {
      entry.sets += 1;
      entry.hands += hands;
    }
  }

  /**
   * Takes a player that will not play again out of the matrix; the numbers of the others keep their bits. If it does play again, it goes on
   * from its estimate.
   */
  retire(player: string): void {
    const row = this.#index.get(player);
    if (row === undefined) return;
    const { players, entries } = this.#state;
    (entries[player] as LadderEntry).variance = this.#at(row, row);
    const last = players.length - 1;
    for (let other = 0; other <= last; other++) this.#put(row, other, this.#at(last, other));
    this.#put(row, row, this.#at(last, last));
    players[row] = players[last] as string;
    players.pop();
    this.#index.set(players[row] as string, row);
    this.#index.delete(player);
  }

  /**
   * Returns the ratings of a field, best first: against opponents of the mean strength of its members with a set, so each rating depends on who
   * is in the field.
   */
  ratings(field: readonly LadderPlayer[]): LadderRating[] {
    return rateField(field, {
      row: (player) => this.#index.get(player),
      entry: (player) => this.#state.entries[player],
      covariance: (a, b) => this.#at(a, b),
      ...this.#priors(),
    });
  }

  #priors() {
    const { bigBlind } = this.#state;
    return { strength: (prior.strength * bigBlind) ** 2, change: (prior.change * bigBlind) ** 2 };
  }

  #start(player: string, predecessor: string | null): void {
    if (this.#index.has(player)) return;
    const { players, entries } = this.#state;
    const row = players.length;
    this.#grow(row + 1);
    const own = entries[player];
    const { strength, change } = this.#priors();
    const from = own === undefined && predecessor !== null ? this.#index.get(predecessor) : undefined;
    const before = own ?? (predecessor === null ? undefined : entries[predecessor]);
    for (let other = 0; other < row; other++) this.#put(row, other, from === undefined ? 0 : this.#at(from, other));
    const variance = from === undefined ? (before?.variance ?? strength) : this.#at(from, from);
    this.#put(row, row, variance + (own === undefined && before !== undefined ? change : 0));
    players.push(player);
    this.#index.set(player, row);
    entries[player] = own ?? { strength: before?.strength ?? 0, hands: 0, sets: 0, noise: 0, surprise: 0, weight: 0 };
  }

  /** Variance of 100 hands of a player: its own estimate, drawn to that of all, which is drawn to the prior. */
  #noiseOf({ noise, weight }: LadderEntry): number {
    const { bigBlind, noise: all, weight: ofAll } = this.#state;
    const assumed = (prior.noise * bigBlind) ** 2;
    const pooled = Math.max(leastNoise * assumed, (priorSeats.pooled * assumed + all) / (priorSeats.pooled + ofAll));
    return Math.max(leastNoise * pooled, (priorSeats.own * pooled + noise) / (priorSeats.own + weight));
  }

  /** Learns the variances from each seat's residual against what the other seats predict; they count from the next set on. */
  #learn(entries: readonly LadderEntry[], { hands, noise, root, innovation }: Innovation): void {
    const last = innovation.length;
    const weighted = solve(root, innovation);
    const inverse = innovation.map((_, at) =>
      solve(
        root,
        innovation.map((__, other) => Number(other === at)),
      ),
    );
    for (const [seat, entry] of entries.entries()) {
      // Row `last` of the differences is minus the sum of the others.
      const row = (of: readonly number[]) =>
        seat < last ? (of[seat] as number) : -of.reduce((sum, value) => sum + value, 0);
      const precision = row(inverse.map(row));
      const residual = row(weighted) / precision;
      const own = noise[seat] as number;
      // The inverse variance of the estimate, 1 when the strengths are known: unknown ones hide the noise.
      const weight = (own * precision) ** 2;
      const estimate = (weight * (residual ** 2 - 1 / precision + own) * hands) / per100;
      entry.noise += estimate;
      entry.surprise += weight * residual ** 2 * precision;
      entry.weight += weight;
      this.#state.noise += estimate;
      this.#state.weight += weight;
    }
  }

  #update(rows: readonly number[], root: readonly (readonly number[])[], innovation: readonly number[]): void {
    const { players, entries } = this.#state;
    const count = players.length;
    const last = innovation.length;
    const whitened = forward(root, innovation);
    const factors = whitened.map(() => new Float64Array(count));
    const reference = rows[last] as number;
    for (let player = 0; player < count; player++) {
      const common = this.#at(player, reference);
      const factor = forward(
        root,
        innovation.map((_, seat) => this.#at(player, rows[seat] as number) - common),
      );
      let gain = 0;
      for (let k = 0; k < last; k++) {
        (factors[k] as Float64Array)[player] = factor[k] as number;
        gain += (factor[k] as number) * (whitened[k] as number);
      }
      (entries[players[player] as string] as LadderEntry).strength += gain;
    }
    for (let row = 0; row < count; row++) {
      const start = row * this.#room;
      for (const factor of factors) {
        const own = factor[row] as number;
        for (let column = 0; column < count; column++)
          this.#covariance[start + column] =
            (this.#covariance[start + column] as number) - own * (factor[column] as number);
      }
    }
  }

  #at(row: number, column: number): number {
    return this.#covariance[row * this.#room + column] as number;
  }

  #put(row: number, column: number, value: number): void {
    this.#covariance[row * this.#room + column] = value;
    this.#covariance[column * this.#room + row] = value;
  }

  #grow(size: number): void {
    if (size <= this.#room) return;
    const room = 2 * size;
    const grown = new Float64Array(room * room);
    for (let row = 0; row < size - 1; row++)
      grown.set(this.#covariance.subarray(row * this.#room, row * this.#room + size - 1), row * room);
    this.#covariance = grown;
    this.#room = room;
  }
}

interface Innovation {
  readonly hands: number;
  /** Variance of the set, by seat. */
  readonly noise: readonly number[];
  /** Values less what was expected, as differences to the last seat, and the Cholesky factor of their covariance. */
  readonly innovation: readonly number[];
  readonly root: readonly (readonly number[])[];
}

function checkSet({ hands, seats }: LadderSet): void {
  if (!(Number.isSafeInteger(hands) && hands > 0)) throw new RangeError('a set must have hands');
  if (seats.length < 2) throw new RangeError('a set must have two players or more');
  if (new Set(seats.map(({ player }) => player)).size < seats.length)
    throw new RangeError('a player has one seat in a set');
  if (seats.some(({ value }) => !Number.isFinite(value))) throw new RangeError('a value must be a number');
}
