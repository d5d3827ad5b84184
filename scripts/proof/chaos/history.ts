import { appendFileSync } from 'node:fs';

/** `refused`: the platform refused the call, so it had no effect. `unknown`: there was no response, or it does not show whether the call took effect. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** Public states of a job. */
export type JobState = 'Pending' | 'Running' | 'Finished' | 'Failed';

export interface Scores {
  readonly [username: string]: number;
}

/** A call with its known effect. Fields that are known only from a response are absent without one. */
export type Call =
  | { readonly call: 'upload'; readonly user: string; readonly submissionId?: string }
  | { readonly call: 'remove'; readonly user: string; readonly submissionId: string }
  | { readonly call: 'submissions'; readonly user: string; readonly submissionIds?: readonly string[] }
  | { readonly call: 'start'; readonly jobId?: string }
  | {
      readonly call: 'status';
      readonly jobId: string;
      readonly state?: JobState;
      readonly result?: Scores;
      /** Known of a finished job. */
      readonly handsPlayed?: number;
    }
  | { readonly call: 'publish'; readonly jobId: string; readonly result: Scores }
  | { readonly call: 'board'; readonly scores?: Scores }
  | { readonly call: 'sign-in'; readonly user: string }
  /** A read of the caller's own account. `read`: the username in the response. */
  | { readonly call: 'account'; readonly user: string; readonly read?: string }
  /** `jobs`: the number of jobs that the batch will have. */
  | { readonly call: 'start-batch'; readonly batchId?: string; readonly jobs?: number }
  | { readonly call: 'batch-jobs'; readonly batchId: string; readonly jobIds?: readonly string[] }
  | { readonly call: 'make-public'; readonly jobId: string }
  | { readonly call: 'public-matches'; readonly jobIds?: readonly string[]; readonly total?: number }
  | Watch
  /** A call that is checked only for its status. `request`: method and path. */
  | { readonly call: 'other'; readonly request: string };

/** One connection of a watcher. `hands`: `attempt:hand` in the order of arrival; `after`: the last event id of earlier connections. */
interface Watch {
  readonly call: 'watch';
  readonly jobId: string;
  readonly after: string;
  readonly hands: readonly string[];
  /** The end event, and the last event id before it; absent if the connection ended without one. */
  readonly ended?: { readonly state: string; readonly handsPlayed: number; readonly at: string };
}

/** A call with its response. Times are in milliseconds of one clock; the effect, if any, took place between them. */
export type Recorded = Call & {
  readonly start: number;
  readonly end: number;
  readonly outcome: Outcome;
  /** HTTP status; 0: no complete response. */
  readonly status: number;
  /** The reason if the call was not done. */
  readonly detail?: string;
};

/** Returns the calls with this name, ordered by start. */
export function listCalls<Name extends Recorded['call']>(
  calls: readonly Recorded[],
  name: Name,
): Extract<Recorded, { call: Name }>[] {
  return calls
    .filter((one): one is Extract<Recorded, { call: Name }> => one.call === name)
    .sort((a, b) => a.start - b.start);
}

/** The history of a run, in memory for the checker and as JSON lines in a file for people. */
export class History {
  readonly calls: Recorded[] = [];
  readonly #file: string | undefined;

  constructor(file?: string) {
    this.#file = file;
  }

  add(recorded: Recorded): void {
    this.calls.push(recorded);
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(recorded)}\n`);
  }

  /** Writes another fact to the file, such as a fault. The checker ignores it. */
  note(fact: object): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(fact)}\n`);
  }
}
