/** Limits of a trial's rule; `normal` is the default. Margins are in big blinds per 100 hands; `rotationHands`: of each of the twelve matches of a deal set. */
export const trialLimits = {
  alpha: { min: 0.001, max: 0.5, normal: 0.05 },
  margin: { min: 0.1, max: 1000, normal: 5 },
  maxHands: { min: 120, max: 2_000_000, normal: 100_000 },
  rotationHands: { min: 10, max: 200, normal: 50 },
} as const;

/** Opponents of a trial: the five whose ratings on the ladder are next to the owner's, or house bots. */
export const trialFields = ['neighbours', 'house'] as const;
export type TrialField = (typeof trialFields)[number];

/** Matches of a deal set: six rotations with each version. */
export const trialMatches = 12;
