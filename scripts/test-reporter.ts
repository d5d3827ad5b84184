import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** What vitest found in one test file. */
export interface FileOutcome {
  /** Path from the root. */
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The failed tests: name -> first line of the error. A file that cannot be loaded and a failed hook count as well, with the name of the suite, or ''. */
  readonly failures: Readonly<Record<string, string>>;
}

/** What a run of vitest leaves behind for `make test`. */
export interface VitestOutcome {
  readonly files: readonly FileOutcome[];
  /** First lines of errors that belong to no test, such as unhandled rejections. */
  readonly unhandled: readonly string[];
}

type Errors = readonly { message?: string }[];
const firstLine = (errors: Errors) => (errors[0]?.message ?? '').split('\n', 1)[0] ?? '';

function fileOutcome(module: TestModule): FileOutcome {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const failures: Record<string, string> = {};
  const note = (name: string, errors: Errors) => {
    if (errors.length > 0) failures[name] = firstLine(errors);
  };
  note('', module.errors());
  for (const suite of module.children.allSuites()) note(suite.fullName, suite.errors());
  for (const test of module.children.allTests() as Iterable<TestCase>) {
    const result = test.result();
    if (result.state !== 'pending') count[result.state]++;
    if (result.state === 'failed') failures[test.fullName] = firstLine(result.errors);
  }
  return { file: module.relativeModuleId, ...count, failures };
}

/** Writes a VitestOutcome as JSON to the file that TEST_OUTCOME names. */
// biome-ignore lint/style/noDefaultExport: vitest loads the default export of a reporter file.
export default class TestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: Errors): void {
    const outcome = { files: modules.map(fileOutcome), unhandled: errors.map((error) => firstLine([error])) };
    const file = process.env.TEST_OUTCOME;
    if (file) writeFileSync(file, JSON.stringify(outcome satisfies VitestOutcome));
  }
}
