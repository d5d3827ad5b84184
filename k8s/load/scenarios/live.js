// A watcher: a match by server-sent events, from its first hand to its end. k6 returns when the stream has ended.
import { check } from 'k6';
import http from 'k6/http';
import { Trend } from 'k6/metrics';
import { matches, me, origin } from '../target.js';

const firstByte = new Trend('live_first_byte', true);

export function live() {
  const match = matches[__ITER % matches.length];
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${me().token}` };
  const url = `${origin}/live/job/${match}/events`;
  const stream = http.get(url, { headers, timeout: '300s', tags: { name: 'live' } });
  firstByte.add(stream.timings.waiting);
  check(stream, {
    'live answers 200': ({ status }) => status === 200,
    'live ends with its end': ({ body }) => String(body).includes('event: end'),
    // Hands are contiguous within an attempt; `attempt:0` announces a new attempt, after a lost one.
    'live has no gap': ({ body }) => {
      const ids = [...String(body).matchAll(/^id: (\d+):(\d+)$/gm)].map(([, attempt, hand]) => [attempt, Number(hand)]);
      return ids.every(([attempt, hand], index) => {
        if (index === 0) return hand <= 1;
        const [before, previous] = ids[index - 1];
        return attempt === before ? hand === previous + 1 : hand === 0;
      });
    },
  });
}
