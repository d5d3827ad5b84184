// Starts a platform and makes test runs of broken bots of every kind. Fails if the status of one looks like an honest loss.
// RUNS: number of test runs (default 1000); AT_ONCE: number of concurrent test runs (default 6).
import { startOwnPlatform, withoutLimits } from '../../up/own-platform.ts';
import { raiseQuotas, runAll, shortLimits } from './run.ts';

const runs = Number(process.env.RUNS ?? 1000);
const concurrency = Number(process.env.AT_ONCE ?? 6);
const startedMs = Date.now();
const platform = await startOwnPlatform({ ...withoutLimits, ...shortLimits });
let failed = true;
try {
  const token = await signIn(platform.origin, platform.admin);
  const runner = { origin: platform.origin, token, username: platform.admin.username };
  await raiseQuotas(platform.origin, token);
  const numbers = Array.from({ length: runs }, (_, n) => n);
  const outcomes = await runAll(numbers, concurrency, runner, ({ kind, problem, jobId }, done) => {
    if (problem !== '') console.error(`${kind} (${jobId}): ${problem}`);
    if (done % 50 === 0) console.log(`${done} of ${runs}`);
  });
  const byCause = Map.groupBy(outcomes, ({ cause }) => cause);
  for (const [cause, group] of [...byCause].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`${String(group.length).padStart(5)}  ${cause}`);
  }
  const wrong = outcomes.filter(({ problem }) => problem !== '');
  const honest = outcomes.filter(({ cause }) => cause === 'honest');
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  console.log(
    `${outcomes.length} runs in ${seconds} s: ${honest.length} look like an honest loss, ${wrong.length} report the wrong cause`,
  );
  failed = wrong.length > 0;
} finally {
  await platform.stop();
}
process.exit(failed ? 1 : 0);

async function signIn(origin: string, { username, password }: { username: string; password: string }): Promise<string> {
  const response = await fetch(`${origin}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const body = (await response.json()) as { access_token?: string };
  if (body.access_token === undefined) throw new Error(`the admin could not sign in: ${response.status}`);
  return body.access_token;
}
