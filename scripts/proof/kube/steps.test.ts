import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runSteps, type Step } from './steps.ts';

let printed = '';
beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text).replace(/\d+\.\d s/g, 'TIME');
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Returns a step that fails the first `failures` times. */
function failing(failures: number, required = false): Step {
  let runs = 0;
  return {
    name: 'it works',
    required,
    async run() {
      runs += 1;
      if (runs <= failures) throw new Error(`failure ${runs}`);
      return 'three hands';
    },
  };
}

test('counts a failed step and runs the next one', async () => {
  vi.stubEnv('TEST_RETRY', undefined);
  expect(await runSteps([failing(1), failing(0)])).toEqual({ passed: 1, failed: 1, stopped: false });
  expect(printed).toBe('failed: it works (TIME): failure 1\nok      it works (TIME; three hands)\n');
});

test('with TEST_RETRY repeats a failed step once and reports it as flaky if it then passes', async () => {
  vi.stubEnv('TEST_RETRY', '1');
  expect(await runSteps([failing(1), failing(2)])).toEqual({ passed: 1, failed: 1, stopped: false });
  expect(printed).toBe(
    'flaky: it works: failure 1\nok      it works (TIME; three hands)\nfailed: it works (TIME): failure 2\n',
  );
});

test('stops after a required step has failed', async () => {
  vi.stubEnv('TEST_RETRY', '1');
  expect(await runSteps([failing(1, true), failing(0)])).toEqual({ passed: 0, failed: 1, stopped: true });
});

test('runs the steps that always run after a required step has failed', async () => {
  vi.stubEnv('TEST_RETRY', undefined);
  const cleanUp = { ...failing(0), always: true };
  expect(await runSteps([failing(1, true), failing(0), cleanUp])).toEqual({ passed: 1, failed: 1, stopped: true });
});
