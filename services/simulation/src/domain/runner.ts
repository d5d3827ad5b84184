/** Idle: holds no match. Acquired: holds one whose seats are not running yet. Active: its seats run. */
export const runnerState = { idle: 'IDLE', acquired: 'ACQUIRED', active: 'ACTIVE' } as const;
export type RunnerState = (typeof runnerState)[keyof typeof runnerState];
