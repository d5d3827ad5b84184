import type { HandRecord } from '@husky/match/record';

/** Why a match was not played to its end; the message says it in words. */
export class MatchStopped extends Error {
  override readonly name = 'MatchStopped';
}

export interface MatchHooks {
  onHand(number: number, record: HandRecord): void;
  /** Asked between hands: a promise holds the match up until it resolves. */
  hold(): Promise<void> | null;
}

export interface MatchEnd {
  readonly handsPlayed: number;
  /** '' when all hands were played. */
  readonly endedEarly: string;
}
