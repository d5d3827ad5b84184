/** The kinds of notices. A user can switch off each kind. */
export const noticeKinds = [
  'verified',
  'bot_disabled',
  'match_finished',
  'bot_prepared',
  'challenged',
  'tournament',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export function isNoticeKind(text: string): text is NoticeKind {
  return noticeKinds.some((kind) => kind === text);
}

export interface MatchNotice {
  readonly about: 'match';
  readonly jobId: string;
  readonly jobKind: 'TEST_RUN' | 'MATCH' | 'BATCH_MATCH';
  /** 0 for a match outside a batch. */
  readonly batchNumber: number;
  /** The match's number within its batch, otherwise the job's number. */
  readonly number: number;
  /** Whether the recipient started the match. */
  readonly own: boolean;
  readonly failed: boolean;
  /** Why the match failed or ended early; empty when neither applies. */
  readonly reason: string;
  readonly handsPlayed: number;
  readonly numRounds: number;
  readonly results: readonly NoticeResult[];
  /** Fewer than two bots started, so nobody won or lost. Absent from notices of earlier releases. */
  readonly noContest?: boolean;
}

/** One bot's result, with only the failure details that the recipient may read. */
export interface NoticeResult {
  readonly userId: string;
  readonly delta: number;
  /** Why the bot was disabled, as a predicate ('ran out of memory'); '' when it was not. */
  readonly disabled: string;
  /** How the bot failed, as a predicate; '' when it did not. Absent from notices of earlier releases. */
  readonly faults?: string;
  readonly neverStarted?: boolean;
}

export interface BatchNotice {
  readonly about: 'batch';
  readonly batchNumber: number;
  readonly finished: number;
  readonly failed: number;
}

/** The end of the preparation of a submission's packages. */
export interface SubmissionNotice {
  readonly about: 'submission';
  /** Why the packages cannot be used; '': the submission is ready. */
  readonly refusal: string;
}

/** A bot is paused on the ladder. */
export interface LadderNotice {
  readonly about: 'ladder';
  readonly reason: string;
}

/** Somebody challenges the user, who wants to be asked. */
export interface ChallengeNotice {
  readonly about: 'challenge';
  readonly challengerId: string;
}

/** Something that a tournament's entrant wants to know: `TournamentNews` of the event. */
export interface TournamentNotice {
  readonly about: 'tournament';
  readonly news: 'ENTERED' | 'CHECK_FAILED' | 'RESULTS';
  readonly name: string;
  readonly slug: string;
  /** RFC 3339. */
  readonly entryDeadline: string;
}

/** The stored content of a notice, from which its mail is rendered. */
export type NoticeData =
  | { readonly about: 'account' }
  | MatchNotice
  | BatchNotice
  | SubmissionNotice
  | LadderNotice
  | ChallengeNotice
  | TournamentNotice;

export interface NewNotice {
  readonly userId: string;
  readonly kind: NoticeKind;
  /** Deduplicates notices of one user and kind. */
  readonly key: string;
  readonly data: NoticeData;
  readonly jobId?: string;
  readonly batchId?: string;
  /** Sent only while the match is public. */
  readonly publicOnly?: boolean;
  /** Not sent until the match becomes public. */
  readonly held?: boolean;
}

/** Minimum time between two mails of a kind to one user; notices that arrive in between share the next mail. */
export const noticePauseMs = 10 * 60_000;
/** Maximum time for which matches of a running batch are collected into one mail. */
export const batchGatherMs = 6 * 3_600_000;
/** Notices are deleted at this age, sent or not. Until then their keys deduplicate repeated events. */
export const noticeKeepDays = 30;

const firstRetryMs = 60_000;
const maxRetryMs = 3_600_000;
/** Attempts for a mail that the server rejects permanently (5xx): the cause may be a temporary misconfiguration. */
export const maxRejections = 5;

/** Returns the delay after the given number of failed attempts: exponential backoff from 1 minute to 1 hour. */
export function retryMs(attempts: number): number {
  return Math.min(maxRetryMs, firstRetryMs * 2 ** Math.max(0, attempts - 1));
}
