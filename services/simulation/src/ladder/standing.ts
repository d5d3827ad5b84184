import { Ladder } from '@husky/estimate/ladder';
import type { LadderPlayer, LadderRating } from '@husky/estimate/ladder-ratings';
import type pg from 'pg';
import { type CountedSet, readState, saveState, setsAfter, storeRatings } from './store/sets.ts';
import { activeVersions, type Version } from './store/versions.ts';

/** Of all sets of the ladder. */
export const ladderBlinds = { bigBlind: 10, multiplier: '1', interval: 1 } as const;
const setsAtOnce = 500;
const setsBetweenStates = 1000;

/** The versions that take part, with their ratings, best first. */
export interface Standing {
  readonly versions: readonly Version[];
  readonly ratings: readonly LadderRating[];
  /** End of the last set that counts. */
  readonly computedAt: Date | null;
}

/** The ladder of this replica, computed from the stored sets in their order: every replica has the same numbers. */
export class LadderStanding {
  readonly #pool: pg.Pool;
  #ladder: Ladder | undefined;
  #number = 0;
  #computedAt: Date | null = null;
  #reading: Promise<void> | undefined;
  #rated: { readonly key: string; readonly ratings: readonly LadderRating[] } | undefined;
  #listed: { readonly of: readonly LadderRating[]; readonly ratings: readonly LadderRating[] } | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Reads the sets that were counted since the last call, and returns the ratings of the versions that take part. */
  async read(): Promise<Standing> {
    const versions = await activeVersions(this.#pool);
    await this.#catchUp(versions);
    const key = `${this.#number} ${versions.map(({ id }) => id).join(' ')}`;
    if (this.#rated?.key !== key) this.#rated = { key, ratings: this.#ladder?.ratings(fieldOf(versions)) ?? [] };
    return { versions, ratings: this.#rated.ratings, computedAt: this.#computedAt };
  }

  /** Returns the ratings of those versions that have played a set, as a field of their own. */
  list({ versions, ratings }: Standing): readonly LadderRating[] {
    if (this.#listed?.of === ratings) return this.#listed.ratings;
    const played = new Set(ratings.filter(({ sets }) => sets > 0).map(({ player }) => player));
    const field = fieldOf(versions.filter(({ id }) => played.has(id)));
    const listed = played.size === ratings.length ? ratings : (this.#ladder?.ratings(field) ?? []);
    this.#listed = { of: ratings, ratings: listed };
    return listed;
  }

  #catchUp(field: readonly Version[]): Promise<void> {
    this.#reading ??= this.#addSets(field).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #addSets(field: readonly Version[]): Promise<void> {
    const ladder = this.#ladder ?? (await this.#restore());
    this.#ladder = ladder;
    for (;;) {
      const sets = await setsAfter(this.#pool, this.#number, setsAtOnce);
      for (const set of sets) {
        // Of a set without a hand nobody can be rated: no bot of its tables has started.
        if (set.hands > 0) ladder.add(set);
        // A version whose successor plays does not come back, or goes on from its estimate.
        for (const { predecessor } of set.seats) if (predecessor !== null) ladder.retire(predecessor);
        this.#number = set.number;
        this.#computedAt = set.endedAt;
        await this.#store(ladder, set, field);
      }
      if (sets.length < setsAtOnce) return;
    }
  }

  async #store(ladder: Ladder, set: CountedSet, field: readonly Version[]): Promise<void> {
    if (set.hands > 0 && set.seats.some(({ rated }) => !rated)) {
      const seated = set.seats.filter(({ player }) => !field.some(({ id }) => id === player));
      const ratings = ladder.ratings([...fieldOf(field), ...seated]);
      const players = new Set(set.seats.map(({ player }) => player));
      await storeRatings(
        this.#pool,
        set.id,
        ratings.filter(({ player }) => players.has(player)),
      );
    }
    if (set.number % setsBetweenStates === 0) await saveState(this.#pool, set.number, ladder.save());
  }

  async #restore(): Promise<Ladder> {
    const stored = await readState(this.#pool);
    const ladder = stored && Ladder.load(stored.bytes);
    if (stored && ladder) {
      this.#number = stored.number;
      this.#computedAt = stored.endedAt;
    }
    return ladder ?? Ladder.empty(ladderBlinds.bigBlind);
  }
}

const fieldOf = (versions: readonly Version[]): LadderPlayer[] =>
  versions.map(({ id, predecessor }) => ({ player: id, predecessor }));
