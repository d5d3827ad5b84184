// A watcher: reads the server-sent events of a match in play until the match ends. k6 returns the response after the stream has ended.
import { check, sleep } from 'k6';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import { optionsOf } from './options.js';
import { acceptsRefusals, currentStep } from './profile.js';
import { bodyOf, countRefusal, guarded, me, origin, read } from './target.js';

export { setup } from './accounts.js';
// With an administrator there is a match to watch; otherwise somebody else starts it.
export { match } from './match.js';
export { handleSummary } from './summary.js';
export const options = optionsOf(...(__ENV.ADMIN_PASSWORD ? ['live', 'match'] : ['live']));

const firstByte = new Trend('live_first_byte', true);
const handsSeen = new Counter('live_hands');

/** Counts the hands and describes the first that does not follow its predecessor. `attempt:0` starts a new attempt after a lost one. */
function findGap(body) {
  let attempt;
  let hand = 0;
  for (const [, nextAttempt, number] of body.matchAll(/^id: (\d+):(\d+)$/gm)) {
    const next = Number(number);
    const follows = nextAttempt === attempt ? next === hand + 1 : next <= 1;
    if (!follows) return `${nextAttempt}:${next} after ${attempt}:${hand}`;
    attempt = nextAttempt;
    hand = next;
    handsSeen.add(1);
  }
  return undefined;
}

export const live = guarded((accounts) => {
  const match = bodyOf(read('/live/now', '/live/now'))?.running?.[0]?.job_id;
  if (match === undefined) return sleep(1);
  const { token } = me(accounts);
  const headers = { accept: 'text/event-stream', ...(token && { authorization: `Bearer ${token}` }) };
  const tags = { name: 'GET /live/job/{id}/events', kind: 'stream', step: currentStep() };
  const stream = http.get(`${origin}/live/job/${match}/events`, { headers, timeout: '900s', tags });
  // A browser also reconnects after this time.
  if (countRefusal(stream, tags) && acceptsRefusals) return sleep(Number(stream.headers['Retry-After']));
  firstByte.add(stream.timings.waiting);
  const body = String(stream.body);
  check(stream, {
    'a live stream returns 200': ({ status }) => status === 200,
    'a live stream ends with the end event': () => body.includes('event: end'),
    'a live stream has each hand once': () => findGap(body) === undefined,
  });
  return undefined;
});
