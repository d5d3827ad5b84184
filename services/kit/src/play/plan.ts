import { streamKey } from '@husky/match/deck';
import { JOB_ID_BYTES, jobIdFrom } from '@husky/match/game-id';
import type { LikeMatch } from './like.ts';
import type { PlayRequest, PlaySettings } from './request.ts';

/** One match of a request. */
export interface PlannedMatch {
  /** From 0. */
  readonly index: number;
  /** Number of the deal set, from 0: matches of the same deal set have the same cards. */
  readonly dealSet: number;
  readonly settings: PlaySettings;
  readonly jobId: string;
  readonly attempt: number;
  /** Index of the bot at each seat. */
  readonly order: readonly number[];
  readonly like: LikeMatch | null;
}

/**
 * Returns the matches of a request: `repeat` deal sets, each with one match or, for duplicate play, with one match per rotation of the
 * seats. The first deal set has the seed of the request, the others have seeds derived from it.
 */
export function planMatches(request: PlayRequest, like: LikeMatch | null): PlannedMatch[] {
  const settings = like?.settings ?? request.settings;
  const first = Buffer.from(settings.seed, 'hex');
  const seats = request.bots.map((_, bot) => bot);
  const plans: PlannedMatch[] = [];
  for (let dealSet = 0; dealSet < request.repeat; dealSet++) {
    const seed = dealSeed(first, dealSet);
    for (let rotation = 0; rotation < (request.duplicate ? seats.length : 1); rotation++) {
      plans.push({
        index: plans.length,
        dealSet,
        settings: { ...settings, seed: seed.toString('hex') },
        jobId: like?.manifest.job_id ?? localJobId(seed, rotation),
        attempt: like?.manifest.attempt ?? 1,
        order: rotate(seats, rotation),
        like,
      });
    }
  }
  return plans;
}

/**
 * Returns the matches of a trial's deal set: all rotations of the first bot with the field, then those of the second in its place. Equal
 * rotations have the same id, so that the opponents have the same random numbers.
 */
export function planTrialSet(
  request: PlayRequest,
  dealSet: number,
  from: number,
  deals: readonly string[] = [],
): PlannedMatch[] {
  const given = deals[dealSet];
  const seed = given ? Buffer.from(given, 'hex') : dealSeed(Buffer.from(request.settings.seed, 'hex'), dealSet);
  const field = request.bots.map((_, bot) => bot).slice(2);
  return [0, 1].flatMap((version, at) =>
    [version, ...field].map((_, rotation) => ({
      index: from + at * (field.length + 1) + rotation,
      dealSet,
      settings: { ...request.settings, seed: seed.toString('hex') },
      jobId: localJobId(seed, rotation),
      attempt: 1,
      order: rotate([version, ...field], rotation),
      like: null,
    })),
  );
}

const dealSeed = (first: Buffer, dealSet: number) =>
  dealSet === 0 ? first : Buffer.from(streamKey(first, 'local-repeat', dealSet));

const localJobId = (seed: Uint8Array, rotation: number) =>
  jobIdFrom(streamKey(seed, 'local-job', rotation).subarray(0, JOB_ID_BYTES));

/** Moves each player to the next seat `rotation` times, as simulation does within a deal set. */
function rotate(seats: readonly number[], rotation: number): number[] {
  const from = (seats.length - rotation) % seats.length;
  return [...seats.slice(from), ...seats.slice(0, from)];
}
