/** What a user may be told by mail; each can be switched off by itself. */
export const noticeKinds = ['verified', 'bot_disabled', 'match_finished'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export function isNoticeKind(text: string): text is NoticeKind {
  return noticeKinds.some((kind) => kind === text);
}

export interface MatchNotice {
  readonly about: 'match';
  readonly jobId: string;
  readonly jobKind: 'TEST_RUN' | 'MATCH' | 'BATCH_MATCH';
  /** Of a batch 0: the match is in none. */
  readonly batchNumber: number;
  /** Within its batch, otherwise the job's own. */
  readonly number: number;
  /** Whether its reader has started it. */
  readonly own: boolean;
  readonly failed: boolean;
  /** Why it failed or ended early; empty: neither. */
  readonly reason: string;
  readonly handsPlayed: number;
  readonly numRounds: number;
  readonly results: readonly NoticeResult[];
  /** Nobody has won or lost: fewer than two bots started. Absent from notices of earlier releases. */
  readonly noContest?: boolean;
}

/** One bot's result, with as much of what went wrong as the notice's reader may know. */
export interface NoticeResult {
  readonly userId: string;
  readonly delta: number;
  readonly disabled: string;
  /** How it failed, to go on from its name; '' when it did not. Absent from notices of earlier releases. */
  readonly faults?: string;
  readonly neverStarted?: boolean;
}

export interface BatchNotice {
  readonly about: 'batch';
  readonly batchNumber: number;
  readonly finished: number;
  readonly failed: number;
}

/** What a notice's mail is made from. */
export type NoticeData = { readonly about: 'account' } | MatchNotice | BatchNotice;

/** Between two mails of a kind to one user; what comes meanwhile is gathered into one. */
export const noticePauseMs = 10 * 60_000;
/** How long matches of a batch under way are gathered; its end sends what there is. */
export const batchGatherMs = 6 * 3_600_000;
/** What could not be mailed for so long is told no more; what has been told is kept so long, to be told once. */
export const noticeKeepDays = 30;

const firstRetryMs = 60_000;
const longestRetryMs = 3_600_000;
/** A server that refuses a mail for good is asked again so often, since a refusal may be a mistake in its settings. */
export const mostRefusals = 5;

/** The pause after the n-th try that failed. */
export function retryMs(tries: number): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.max(0, tries - 1));
}
