import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** The result of a test file. */
export interface FileOutcome {
  /** Path from the root. */
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Name of a failed test -> first line of its error. Failed hooks have the name of their suite; the name is '' if the file could not be loaded. */
  readonly failures: Readonly<Record<string, string>>;
}

/** The result of a run of vitest, for `make test`. */
export interface VitestOutcome {
  readonly files: readonly FileOutcome[];
  /** First lines of errors outside of all tests, such as unhandled rejections. */
  readonly unhandled: readonly string[];
}

type Errors = readonly { message?: string }[];
const firstLine = (errors: Errors) => (errors[0]?.message ?? '').split('\n', 1)[0] ?? '';

function collectOutcome(module: TestModule): FileOutcome {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const failures: Record<string, string> = {};
  const addFailure = (name: string, errors: Errors) => {
    if (errors.length > 0) failures[name] = firstLine(errors);
  };
  addFailure('', module.errors());
  for (const suite of module.children.allSuites()) addFailure(suite.fullName, suite.errors());
  for (const test of module.children.allTests() as Iterable<TestCase>) {
    const result = test.result();
    if (result.state !== 'pending') count[result.state]++;
    if (result.state === 'failed') failures[test.fullName] = firstLine(result.errors);
  }
  return { file: module.relativeModuleId, ...count, failures };
}

/** Writes a VitestOutcome as JSON to the file TEST_OUTCOME. */
// biome-ignore lint/style/noDefaultExport: vitest loads the default export of a reporter file.
export default class TestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: Errors): void {
    const outcome = { files: modules.map(collectOutcome), unhandled: errors.map((error) => firstLine([error])) };
    const file = process.env.TEST_OUTCOME;
    if (file) writeFileSync(file, JSON.stringify(outcome satisfies VitestOutcome));
  }
}
