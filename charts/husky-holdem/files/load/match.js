// Keeps one public match in play: each iteration starts a match and polls it until it has ended.
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import { Trend } from 'k6/metrics';
import { optionsOf } from './options.js';
import { currentStep, durationS } from './profile.js';
import { bodyOf, guarded, post, read } from './target.js';

export { setup } from './accounts.js';
export { handleSummary } from './summary.js';
export const options = optionsOf('match');

const handsPerSecond = new Trend('hands_per_second');
const seats = 6;
const hands = Number(__ENV.HANDS || 1000);

export const match = guarded(({ users, admin }) => {
  const users_list = users.slice(0, seats).map(({ username }) => username);
  const id = bodyOf(post('/sim/async_run_user', '/sim/async_run_user', admin, { users_list, num_rounds: hands }))?.job_id;
  if (id === undefined) return sleep(1);
  post(`/admin/toggle-job-public/${id}`, '/admin/toggle-job-public/{id}', admin, { is_public: true });
  const step = currentStep();
  // While the match waits, the clock begins again: a short one may end between two looks.
  let last = { done: 0, ms: Date.now() };
  for (;;) {
    sleep(1);
    const status = bodyOf(read(`/sim/status/${id}`, '/sim/status/{id}', admin));
    if (status === undefined) continue;
    if (status.job_status === 'Pending') {
      last.ms = Date.now();
    } else if (status.job_status !== 'Failed') {
      // A short match ends before its runner first reports how many hands it has played.
      const now = { done: status.hands_played ?? status.hands_done ?? 0, ms: Date.now() };
      if (now.done > last.done) {
        handsPerSecond.add(((now.done - last.done) * 1000) / (now.ms - last.ms), { step });
        last = now;
      }
    }
    if (status.job_status === 'Finished' || status.job_status === 'Failed') {
      check(status, { 'a match finishes': ({ job_status }) => job_status === 'Finished' });
      return undefined;
    }
    // Does not wait for a match that lasts longer than the run.
    if (exec.instance.currentTestRunDuration > (durationS + 120) * 1000) return undefined;
  }
});
