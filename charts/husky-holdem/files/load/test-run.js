// A participant: uploads a bot for a test run and polls its status until it has ended.
import { check, sleep } from 'k6';
import http from 'k6/http';
import { Trend } from 'k6/metrics';
import { bots } from './bots.js';
import { optionsOf } from './options.js';
import { bodyOf, guarded, me, read, send } from './target.js';

export { setup } from './accounts.js';
export { handleSummary } from './summary.js';
export const options = optionsOf('test-run');

const verdictDuration = new Trend('verdict_duration', true);
const timeoutMs = 240_000;
const pollS = 2;

export const testRun = guarded((accounts) => {
  const { token } = me(accounts);
  const startedMs = Date.now();
  const body = { python_file: http.file(bots[0], 'player.py'), packages_file: http.file('', 'requirements.txt') };
  const started = send('POST', '/sim/async_run', '/sim/async_run', { kind: 'upload', token, body, timeout: '60s' });
  const id = bodyOf(started)?.job_id;
  if (id === undefined) return;
  let status;
  do {
    sleep(pollS);
    status = bodyOf(read(`/sim/status/${id}`, '/sim/status/{id}', token))?.job_status;
  } while (status !== 'Finished' && status !== 'Failed' && Date.now() - startedMs < timeoutMs);
  check(status, { 'an accepted upload is tested': () => status === 'Finished' });
  verdictDuration.add(Date.now() - startedMs);
});
