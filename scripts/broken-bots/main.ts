// Starts a platform and makes test runs of broken bots of every kind. Fails if one of them looks like an honest loss.
// RUNS: number of test runs (default 1000); AT_ONCE: concurrent ones (default 6).
import { startOwnPlatform, withoutLimits } from '../up/own-platform.ts';
import { raiseQuotas, runAll, shortLimits } from './run.ts';

const runs = Number(process.env.RUNS ?? 1000);
const atOnce = Number(process.env.AT_ONCE ?? 6);
const begun = Date.now();
const platform = await startOwnPlatform({ ...withoutLimits, ...shortLimits });
let failed = true;
try {
  const token = await signIn(platform.origin, platform.admin);
  const runner = { origin: platform.origin, token, username: platform.admin.username };
  await raiseQuotas(platform.origin, token);
  const numbers = Array.from({ length: runs }, (_, n) => n);
  const outcomes = await runAll(numbers, atOnce, runner, ({ kind, problem, jobId }, done) => {
    if (problem !== '') console.error(`${kind} (${jobId}): ${problem}`);
    if (done % 50 === 0) console.log(`${done} of ${runs}`);
  });
  const readings = Map.groupBy(outcomes, ({ reading }) => reading);
  for (const [reading, all] of [...readings].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`${String(all.length).padStart(5)}  ${reading}`);
  }
  const wrong = outcomes.filter(({ problem }) => problem !== '');
  const honest = outcomes.filter(({ reading }) => reading === 'honest');
  const seconds = Math.round((Date.now() - begun) / 1000);
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
