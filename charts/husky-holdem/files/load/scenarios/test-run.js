// A participant: uploads a bot for a test run and polls its status until it has finished.
import { check, sleep } from 'k6';
import http from 'k6/http';
import { Trend } from 'k6/metrics';
import { bodyOf, bot, me, read, send } from '../target.js';

const took = new Trend('verdict_duration', true);
const longestMs = 240_000;
const pollS = 2;

export function testRun() {
  const { token } = me();
  const began = Date.now();
  const body = { python_file: http.file(bot, 'player.py'), packages_file: http.file('', 'requirements.txt') };
  const started = send('POST', '/sim/async_run', '/sim/async_run', { kind: 'upload', token, body, timeout: '60s' });
  const id = bodyOf(started)?.job_id;
  if (id === undefined) return;
  let status;
  do {
    sleep(pollS);
    status = bodyOf(read(`/sim/status/${id}`, '/sim/status/{id}', token))?.job_status;
  } while (status !== 'Finished' && status !== 'Failed' && Date.now() - began < longestMs);
  check(status, { 'an accepted upload is tested': () => status === 'Finished' });
  took.add(Date.now() - began);
}
