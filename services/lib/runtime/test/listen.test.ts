import { testNats } from '@husky/testkit/servers';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { connectNats } from '../src/messages/nats.ts';

const subject = 'gateway.watchers';

test('logs the subject when a handler of broadcasts throws, and goes on listening', async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(line) });
  const nats = await connectNats(await testNats('gateway'), log);
  onTestFinished(() => nats.close());
  const received: string[] = [];
  nats.listen(subject, (payload) => {
    const text = Buffer.from(payload).toString('utf8');
    if (text === 'broken') throw new Error('cannot be decoded');
    received.push(text);
  });
  for (const text of ['first', 'broken', 'next']) nats.broadcast(subject, Buffer.from(text));
  await expect.poll(() => received).toEqual(['first', 'next']);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, subject, msg: `${subject} could not be handled: cannot be decoded` },
  ]);
});
