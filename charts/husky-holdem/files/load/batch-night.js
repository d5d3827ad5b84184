// An organiser: starts a batch of all groups of six among the accounts with a final bot and polls it until every match has finished.
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import { Trend } from 'k6/metrics';
import { optionsOf } from './options.js';
import { bodyOf, guarded, post, read } from './target.js';

export { setup } from './accounts.js';
export { handleSummary } from './summary.js';
export const options = optionsOf('batch-night');

const batchDuration = new Trend('batch_duration', true);
const timeoutMs = Number(__ENV.BATCH_MINUTES || 60) * 60_000;
const hands = Number(__ENV.HANDS || 1000);

export const batchNight = guarded(({ users, admin }) => {
  const users_list = users.filter(({ final }) => final).map(({ username }) => username);
  const startedMs = Date.now();
  const created = bodyOf(post('/llm/batch-run', '/llm/batch-run', admin, { users_list, num_rounds: hands }));
  if (created === undefined) exec.test.fail('the batch was refused');
  for (;;) {
    sleep(2);
    const batch = bodyOf(read(`/llm/batch/${created.batch_id}`, '/llm/batch/{id}', admin));
    const { FINISHED = 0, FAILED = 0 } = batch?.job_statuses ?? {};
    if (FINISHED + FAILED < created.total_jobs && Date.now() - startedMs < timeoutMs) continue;
    check(batch, { 'every match of the batch finishes': () => FINISHED === created.total_jobs });
    batchDuration.add(Date.now() - startedMs);
    return;
  }
});
