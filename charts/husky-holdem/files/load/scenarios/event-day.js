// Visitors, participants and organisers of an event, mixed by their shares of all requests.
import { adminPolling } from './admin.js';
import { browse } from './browse.js';
import { signIn } from './sign-in.js';
import { testRun } from './test-run.js';

/** `share`: percent of all requests. `requests`: number of requests of one iteration. WEIGHTS replaces shares: browse=80,admin=20. */
export const parts = {
  browse: { run: browse, share: 93, requests: 7 },
  admin: { run: adminPolling, share: 4, requests: 3 },
  'sign-in': { run: signIn, share: 2, requests: 3 },
  'test-run': { run: testRun, share: 1, requests: 5 },
};

for (const part of (__ENV.WEIGHTS || '').split(',').filter((text) => text !== '')) {
  const [name, share] = part.split('=');
  if (!(name in parts) || !(Number(share) >= 0)) {
    throw new Error(`WEIGHTS has ${part}: write name=share with a name of ${Object.keys(parts).join(', ')}`);
  }
  parts[name].share = Number(share);
}

const iterations = Object.values(parts).map(({ run, share, requests }) => ({ run, weight: share / requests }));
const totalWeight = iterations.reduce((sum, { weight }) => sum + weight, 0);
if (!(totalWeight > 0)) throw new Error('WEIGHTS leaves no scenario with a share');

/** Mean number of requests of an iteration. */
export const requestsPerIteration = Object.values(parts).reduce((sum, { share }) => sum + share, 0) / totalWeight;

export function eventDay() {
  let at = Math.random() * totalWeight;
  const selected = iterations.find(({ weight }) => {
    at -= weight;
    return at < 0;
  });
  (selected ?? iterations[0]).run();
}
