// `make attacks-host`: plays the attacks that need no upload on a seat host, without a platform. CASES selects cases (default
// all); writes test-results/attacks.md. The last line is `N passed, N failed`.
import { adaptToMeans, readCases } from './case-files.ts';
import { formatOutcome, type Outcome } from './judge.ts';
import { machineName, writeResults } from './results.ts';
import { canRunDirectly, runDirectly } from './run-case.ts';
import { TableOfSix } from './table-of-six.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);
const cases = readCases(process.env.CASES).filter(canRunDirectly);
const pending = [...cases];
const outcomes: Outcome[] = [];

async function work(): Promise<void> {
  const table = await TableOfSix.open();
  try {
    const means = await table.means();
    for (let attack = pending.shift(); attack !== undefined; attack = pending.shift()) {
      const outcome = await runDirectly(adaptToMeans(attack, means), table);
      outcomes.push(outcome);
      print(formatOutcome(outcome));
    }
  } finally {
    await table.stop();
  }
}

await Promise.all([work(), work()]);
const failed = outcomes.filter(({ problems }) => problems.length > 0);
print('');
for (const outcome of failed) print(formatOutcome(outcome));
writeResults(outcomes, machineName(), 'seat host');
print(`${outcomes.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
