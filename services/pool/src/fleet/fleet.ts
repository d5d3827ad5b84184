/** One runner as its fleet knows it. What it plays is simulation's to say. */
export interface FleetRunner {
  readonly name: string;
  /** A number that is this runner's for as long as it lives. */
  readonly port: number;
  /** starting: not all of it runs (yet, or again); stopping: it was told to go. */
  readonly phase: 'starting' | 'running' | 'stopping';
  /** ms since the epoch when it, or a part of it, was last started. */
  readonly startedAtMs: number;
  /** Why it does not run, or did not until a moment ago, in words; otherwise empty. */
  readonly problem: string;
}

/** The only place with two implementations: processes on one machine, pods on a cluster. */
export interface Fleet {
  /** Why what `runners()` tells may be old, in words; '' when it is not. */
  readonly problem: string;
  /** Every runner there is, those that are going included, in order of port. */
  runners(): Promise<readonly FleetRunner[]>;
  /**
   * Adds runners and answers as soon as they are ordered, with their names where those are known beforehand. Throws an
   * Error in words when they cannot be had.
   */
  start(count: number): Promise<readonly string[]>;
  /**
   * Takes these runners away, each for good: a match in play is handed back. Answers when they are told; they leave
   * `runners()` when they are gone. Unknown names are gone already.
   */
  stop(names: readonly string[]): Promise<void>;
  /** The end of a runner's log, at most `maxBytes` of UTF-8; null for an unknown runner. */
  log(name: string, maxBytes: number): Promise<string | null>;
  /** Leaves nothing running that this process started. */
  close(): Promise<void>;
}
