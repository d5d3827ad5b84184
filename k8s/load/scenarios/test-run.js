// A participant: uploads a bot for a test run and polls until it has finished.
import { check, sleep } from 'k6';
import http from 'k6/http';
import { Trend } from 'k6/metrics';
import { bot, json, me, origin, read } from '../target.js';

const took = new Trend('test_run_duration', true);
const longestMs = 240_000;

export function testRun() {
  const { token } = me();
  const began = Date.now();
  const form = { python_file: http.file(bot, 'player.py'), packages_file: http.file('', 'requirements.txt') };
  const started = http.post(`${origin}/sim/async_run`, form, { ...json(token), tags: { name: 'upload' } });
  if (!check(started, { 'upload answers 200': ({ status }) => status === 200 })) return sleep(5);
  const id = started.json('job_id');
  for (;;) {
    sleep(1);
    const status = read(`/sim/status/${id}`, 'status', token).json('job_status');
    const ended = status === 'Finished' || status === 'Failed';
    if (!ended && Date.now() - began < longestMs) continue;
    check(status, { 'test run finishes': () => status === 'Finished' });
    took.add(Date.now() - began);
    return undefined;
  }
}
