/** A clock that only `advance` moves; times in ms since the epoch. */
export interface TestClock {
  now(): number;
  advance(ms: number): void;
}

export function testClock(startMs = Date.UTC(2026, 0, 1)): TestClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
  };
}
