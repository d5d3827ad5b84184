// Visitors, participants and organisers of an event, mixed by their shares of all requests.
import exec from 'k6/execution';
import { adminPolling } from './admin.js';
import { browse } from './browse.js';
import { optionsOf, parts } from './options.js';
import { register } from './register.js';
import { signIn } from './sign-in.js';
import { guarded } from './target.js';
import { testRun } from './test-run.js';

export { setup } from './accounts.js';
export { handleSummary } from './summary.js';
export const options = optionsOf('event-day');

const functions = { browse, adminPolling, register, signIn, testRun };
const shared = Object.values(parts).filter(({ share }) => share > 0);
const weights = shared.map(({ share, requests }) => share / requests);
const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);

export const eventDay = guarded((accounts) => {
  // The first iterations run each part once, so that a short run measures all of them.
  let at = exec.scenario.iterationInTest;
  if (at >= shared.length) {
    let point = Math.random() * totalWeight;
    at = weights.findIndex((weight) => {
      point -= weight;
      return point < 0;
    });
  }
  functions[(shared[at] ?? shared[0]).exec](accounts);
});
