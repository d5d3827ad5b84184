import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../test/match-bench.ts';
import { maxLineBytes, parseMessage, parseReply, SeatLink } from './seat-link.ts';

const { lines, refusedLines } = JSON.parse(
  readFileSync(new URL('../../fixtures/seat-protocol.json', import.meta.url), 'utf8'),
) as {
  readonly lines: readonly { readonly line: string; readonly message: object }[];
  readonly refusedLines: string[];
};

it.each(lines)('parses $line', ({ line, message }) => {
  expect(parseMessage(line)).toEqual(message);
});

it('parses 1e999 as a raise by infinity', () => {
  expect(parseMessage('[1,4,1e999]')).toMatchObject({ amount: Number.POSITIVE_INFINITY });
});

const halfReady = ['{"error":"x"}', '{"ready":true,"error":"x"}'];

it.each([...refusedLines, ...halfReady])('refuses %s', (line) => {
  expect(parseMessage(line)).toBeNull();
});

const plain = (line: string) => {
  const bytes = Buffer.from(`${line}\n`, 'latin1');
  return parseReply(bytes, bytes.length);
};
const edges = [
  '[01,3,0]',
  '[1,3,00]',
  '[1,3]',
  '[1,3,0,1]',
  '[1,,0]',
  '[,3,0]',
  '[1,3,0]]',
  '[1,3,0] ',
  '[1,3,1.5]',
  '[1,-1,0]',
  '[1,0,5]',
  '[1,3,9007199254740993]',
  '[1,3,1e5]',
  '[1,3,]',
  '[]',
  '[[[[[[[[',
  '[1,3,0]\n[2,3,0]',
  '["1",3,0]',
  '[1,3,0',
  '[1:3,0]',
  '[100,3]',
  '[1,3,4,1]',
  '[1,0,4,1]',
  '[100,,5]',
  '[,3,50]',
  '[11,3,]',
  '[1,3,50',
  '{1,3,50]',
  ' 1,3,50]',
  '[1,3,12345678901234567890]',
  '[0,3,5]',
];

it.each([...lines.map(({ line }) => line), ...refusedLines, ...edges])(
  'reads the same reply from the bytes of %s as from its text',
  (line) => {
    const reply = plain(line);
    if (reply !== null) expect(reply).toEqual(parseMessage(line));
  },
);

it('reads a plain reply from its bytes', () => {
  expect(plain('[17,4,250]')).toEqual({ type: 'reply', seq: 17, kind: 4, amount: 250 });
  expect(plain('[1,3,0]')).toEqual({ type: 'reply', seq: 1, kind: 3, amount: 0 });
  expect(plain('[0,4,990]')).toEqual({ type: 'reply', seq: 0, kind: 4, amount: 990 });
});

it('reads no reply from bytes that are not one whole line', () => {
  for (const text of ['[1,3,50]', '[1,3,50]]', '[1,3,50]x', '[1,3,50]\n[', '\n', '']) {
    expect(parseReply(Buffer.from(text, 'latin1'), text.length)).toBeNull();
  }
});

describe('a connection to a seat', () => {
  let folder: string;
  let server: Server;
  let seat: Socket;
  let received: string;
  let link: SeatLink;
  /** The listener's calls: sequence numbers of replies (null: not a message), 'endless' and 'end'. */
  let calls: (number | string | null)[];
  let onCall: () => void;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'husky-link-'));
    calls = [];
    onCall = () => undefined;
    received = '';
    const connected = Promise.withResolvers<Socket>();
    server = createServer({ allowHalfOpen: true }, connected.resolve);
    await new Promise<void>((done) => server.listen(join(folder, 'seat.sock'), done));
    const record = (what: number | string | null) => {
      calls.push(what);
      onCall();
    };
    link = new SeatLink(join(folder, 'seat.sock'), {
      onMessage: (message) => record(message?.type === 'reply' ? message.seq : null),
      onEndlessLine: () => record('endless'),
      onEnd: () => record('end'),
    });
    seat = await connected.promise;
    seat.on('error', () => undefined);
    seat.on('data', (bytes) => {
      received += bytes.toString('latin1');
    });
  });
  afterEach(async () => {
    link.close();
    seat.destroy();
    await new Promise((done) => server.close(done));
    rmSync(folder, { recursive: true });
  });

  const seatClosed = () => new Promise((done) => seat.on('close', done).end());

  it('reads lines however they are split', async () => {
    seat.write('[1,3,0]\n[2,3,0]\n[3,3');
    await until(() => expect(calls).toEqual([1, 2]));
    seat.write(',0]\n');
    await until(() => expect(calls).toEqual([1, 2, 3]));
    seat.write('hello\nhel');
    await until(() => expect(calls).toEqual([1, 2, 3, null]));
    seat.write('[5,3,0]\n');
    await until(() => expect(calls).toEqual([1, 2, 3, null, null]));
    seat.write('[6,3,0]\n');
    await until(() => expect(calls).toEqual([1, 2, 3, null, null, 6]));
  });

  it('refuses a line above 4,096 bytes, whether it has ended or not', async () => {
    const longest = `"${'x'.repeat(maxLineBytes - 2)}"`;
    seat.write(`${longest}\n[1,3,0]\n${longest}`);
    await until(() => expect(calls).toEqual([null, 1]));
    seat.write('\n');
    await until(() => expect(calls).toEqual([null, 1, null]));
    seat.write(`${longest}x\n`);
    await until(() => expect(calls).toEqual([null, 1, null, 'endless']));
    seat.write(`[2,3,0]\n${longest}x`);
    await until(() => expect(calls).toEqual([null, 1, null, 'endless', 2, 'endless']));
  });

  it.each(['[1,3,0]\n[2,3,0]\n', `hello\n${'x'.repeat(maxLineBytes + 1)}`])(
    'reports nothing once it is closed, not even the rest of a read (%#)',
    async (text) => {
      onCall = () => link.close();
      seat.write(text);
      await seatClosed();
      expect(calls).toHaveLength(1);
      link.send(1, '["a"]');
      link.finish();
      await new Promise(setImmediate);
      expect(calls).toHaveLength(1);
      expect(received).toBe('');
    },
  );

  it('sends a line in one write and lets the seat read everything after the last one', async () => {
    link.send(7, '["r"],["a"]');
    link.send(0, '["g"]');
    link.finish();
    await new Promise((done) => seat.on('end', done));
    expect(received).toBe('[7,[["r"],["a"]]]\n[0,[["g"]]]\n');
    seat.write('[7,3,0]\n');
    await until(() => expect(calls).toEqual([7]));
  });

  it('reports its end once when the seat stops sending, although events are unread', async () => {
    seat.pause();
    while (link.unsentBytes === 0) link.send(1, `"${'x'.repeat(1 << 16)}"`);
    seat.end();
    await until(() => expect(calls).toEqual(['end']));
    link.send(2, '["a"]');
    await new Promise(setImmediate);
    expect(calls).toEqual(['end']);
  });

  it('reports its end once when the seat resets it or does not exist', async () => {
    link.send(1, '["a"]');
    seat.destroy();
    await until(() => expect(calls).toEqual(['end']));
    link = new SeatLink(join(folder, 'none.sock'), {
      onMessage: () => undefined,
      onEndlessLine: () => undefined,
      onEnd: () => calls.push('none'),
    });
    await until(() => expect(calls).toEqual(['end', 'none']));
  });
});
