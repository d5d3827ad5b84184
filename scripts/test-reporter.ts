import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** What a run of vitest leaves behind for `make test`: counts, and the tests to name after the counts. */
export interface VitestOutcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** File, name and first line of the error of each failure, including files that could not be loaded. */
  readonly failures: readonly string[];
  /** File and name of each test that failed first and passed when it was repeated. */
  readonly flaky: readonly string[];
}

const firstLine = (error: { message?: string } | undefined) => (error?.message ?? '').split('\n', 1)[0];
const describe = (test: TestCase) => `${test.module.relativeModuleId} > ${test.fullName}`;

/** Writes a VitestOutcome as JSON to the file that TEST_OUTCOME names. */
// biome-ignore lint/style/noDefaultExport: vitest loads the default export of a reporter file.
export default class TestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message?: string }[]): void {
    const outcome = { passed: 0, failed: 0, skipped: 0 };
    const failures = errors.map((error) => `outside a test: ${firstLine(error)}`);
    const flaky: string[] = [];
    for (const module of modules) {
      for (const error of module.errors()) failures.push(`${module.relativeModuleId}: ${firstLine(error)}`);
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors())
          failures.push(`${module.relativeModuleId} > ${suite.fullName}: ${firstLine(error)}`);
      }
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') outcome.passed++;
        else if (result.state === 'skipped') outcome.skipped++;
        else if (result.state === 'failed') {
          outcome.failed++;
          failures.push(`${describe(test)}: ${firstLine(result.errors[0])}`);
        }
        if (test.diagnostic()?.flaky) flaky.push(describe(test));
      }
    }
    const file = process.env.TEST_OUTCOME;
    if (file) writeFileSync(file, JSON.stringify({ ...outcome, failures, flaky } satisfies VitestOutcome));
  }
}
