// An organiser's batch: all groups of six of the accounts with final bots, polled until every match has finished.
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import { Trend } from 'k6/metrics';
import { admin, bodyOf, post, read, users } from '../target.js';

const took = new Trend('batch_duration', true);
const longestMs = Number(__ENV.BATCH_MINUTES || 60) * 60_000;
const hands = Number(__ENV.HANDS || 1000);

export function batchNight() {
  const users_list = users.filter(({ final }) => final).map(({ username }) => username);
  const began = Date.now();
  const made = bodyOf(post('/llm/batch-run', '/llm/batch-run', admin, { users_list, num_rounds: hands }));
  if (made === undefined) exec.test.fail('the batch was refused');
  for (;;) {
    sleep(2);
    const batch = bodyOf(read(`/llm/batch/${made.batch_id}`, '/llm/batch/{id}', admin));
    const { FINISHED = 0, FAILED = 0 } = batch?.job_statuses ?? {};
    if (FINISHED + FAILED < made.total_jobs && Date.now() - began < longestMs) continue;
    check(batch, { 'every match of the batch finishes': () => FINISHED === made.total_jobs });
    took.add(Date.now() - began);
    return;
  }
}
