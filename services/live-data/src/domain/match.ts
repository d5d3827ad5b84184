/** A match as stored here. Attempt 0 means that none was opened. */
export interface Match {
  readonly jobId: string;
  readonly ownerId: string | null;
  readonly batchId: string | null;
  readonly batchNumber: number;
  readonly gameNumber: number;
  /** By seat. */
  readonly playerIds: readonly string[];
  readonly numRounds: number;
  readonly bigBlind: number;
  readonly blindMultiplier: string;
  readonly blindInterval: number;
  readonly startingStack: number;
  readonly rulesVersion: number;
  /** 'carry', or 'reset': every hand starts with the starting stack. */
  readonly stacks: string;
  /** Matches with the same deal set have the same cards. Null: the only match of its deal set. */
  readonly dealSetId: string | null;
  /** Rotation within its deal set, from 1 to 6; 0: classic. */
  readonly rotation: number;
  readonly seed: Uint8Array;
  readonly isPublic: boolean;
  /** Of the ladder, whose matches the house account owns, or of a trial: in no list and no sum. */
  readonly ladder: boolean;
  /** Only admins read it before it is published. */
  readonly sealed: boolean;
  readonly status: string;
  readonly currentAttempt: number;
  readonly acceptedAttempt: number | null;
  readonly firstHandAt: Date | null;
  readonly hands: number;
  readonly endReason: string;
  /** When the rules of retention removed its hands; null: kept. */
  readonly handsRemovedAt: Date | null;
  /** When they removed its logs and lost attempts; null: kept. */
  readonly logsRemovedAt: Date | null;
}

/** Returns the attempt that readers see: the accepted one, or the current one while the match runs. */
export function readableAttempt(match: Match): number {
  return match.acceptedAttempt ?? match.currentAttempt;
}

export function hasEnded(match: Match): boolean {
  return match.status === 'Finished' || match.status === 'Failed';
}

/** Returns whether an attempt is the accepted one or, if none is accepted, the current one. */
export function holdsLease(match: Match, attempt: number): boolean {
  return match.acceptedAttempt === null ? match.currentAttempt === attempt : match.acceptedAttempt === attempt;
}
