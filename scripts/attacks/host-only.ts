// `make attacks-host`: plays the attacks that need no upload on a seat host, without a platform. CASES selects cases (default
// all); UPDATE_DOCS=1 writes docs/attacks.md. The last line is `N passed, N failed`.
import { expectedWith, readCases } from './case-files.ts';
import { runDirectly, runsDirectly } from './direct.ts';
import { lineOf, type Outcome } from './outcome.ts';
import { machineName, writeResults } from './results.ts';
import { TableOfSix } from './table-of-six.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);
const cases = readCases(process.env.CASES).filter(runsDirectly);
const waiting = [...cases];
const outcomes: Outcome[] = [];

async function work(): Promise<void> {
  const table = await TableOfSix.open();
  try {
    const means = await table.means();
    for (let attack = waiting.shift(); attack !== undefined; attack = waiting.shift()) {
      const outcome = await runDirectly(expectedWith(attack, means), table);
      outcomes.push(outcome);
      say(lineOf(outcome));
    }
  } finally {
    await table.stop();
  }
}

await Promise.all([work(), work()]);
const failed = outcomes.filter(({ problems }) => problems.length > 0);
say('');
for (const outcome of failed) say(lineOf(outcome));
if (process.env.UPDATE_DOCS === '1') writeResults(outcomes, machineName(), 'seat host');
say(`${outcomes.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
