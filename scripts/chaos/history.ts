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
  | { readonly call: 'status'; readonly jobId: string; readonly state?: JobState; readonly result?: Scores }
  | { readonly call: 'publish'; readonly jobId: string; readonly result: Scores }
  | { readonly call: 'board'; readonly scores?: Scores }
  /** One connection of a watcher. `hands`: `attempt:hand` in the order of arrival; `after`: the last hand of earlier connections. */
  | { readonly call: 'watch'; readonly jobId: string; readonly after: string; readonly hands: readonly string[] };

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
