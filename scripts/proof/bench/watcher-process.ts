// Holds the connections of `make bench-watchers` in a process of the lowest priority, because real watchers are on other machines. Reads
// commands from standard input, one JSON per line, and prints a summary of what it received when it stops. For a command with `checked` it
// prints a line when all streams have ended: how many had each hand once and the end event, and the errors of the others.
import { request } from 'node:http';
import { getPriority, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

interface Command {
  readonly origin: string;
  readonly jobId: string;
  /** Number of the last hand that the watchers have already. */
  readonly hand: number;
  readonly watchers: number;
  /** Ids of hands to load, as live tables do; empty: streams only. */
  readonly games: readonly string[];
  /** Whether every hand of every stream is checked, until the end of the match. */
  readonly checked?: boolean;
}

const initialPriority = getPriority();
setPriority(19);

/** Interval at which the live table loads a hand of a fast match. */
const handIntervalMs = 6500;
/** Number of streams that are checked for gaps. */
const checkedStreams = 5;

let stops: (() => void)[] = [];
let bytes = 0;
let gaps = 0;
let loaded = 0;

function watch({ origin, jobId, hand }: Command, checked: boolean): void {
  let last = hand;
  let rest = '';
  const open = request(
    `${origin}/live/job/${jobId}/events`,
    { headers: { 'Last-Event-ID': `1:${hand}` } },
    (response) => {
      if (response.statusCode !== 200) throw new Error(`a stream was refused with ${response.statusCode}`);
      response.on('error', () => undefined);
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        if (!checked) return;
        const lines = (rest + part.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const number = /^id: 1:(\d+)$/.exec(line)?.[1];
          if (number === undefined) continue;
          if (Number(number) !== last + 1) gaps += 1;
          last = Number(number);
        }
      });
    },
  );
  open.on('error', () => undefined);
  open.end();
  stops.push(() => open.destroy());
}

/** Interval between new watchers: 100 per second. */
const arrivalIntervalMs = 10;
let refused = 0;

/** Watches a match from its first hand. After a refusal because of overload, retries after the time in Retry-After. Returns the error; '' for none. */
async function watchMatch(command: Command, at: number): Promise<string> {
  await wait(at * arrivalIntervalMs);
  for (;;) {
    const result = await watchOnce(command);
    if (typeof result === 'string') return result;
    refused += 1;
    await wait(1000 * result.retryAfterS * (1 + Math.random()));
  }
}

/** Reads a stream to its end. Returns its first error; '' if there is none. */
function watchOnce({ origin, jobId }: Command): Promise<string | { readonly retryAfterS: number }> {
  const { promise, resolve } = Promise.withResolvers<string | { readonly retryAfterS: number }>();
  let last = 0;
  let ended = false;
  let wrong = '';
  let rest = '';
  const open = request(`${origin}/live/job/${jobId}/events`, (response) => {
    if (response.statusCode !== 200) {
      response.resume();
      const retryAfterS = Number(response.headers['retry-after'] ?? Number.NaN);
      return resolve(
        response.statusCode === 503 && retryAfterS > 0 ? { retryAfterS } : `refused with ${response.statusCode}`,
      );
    }
    response.on('error', (error) => resolve(`broken after hand ${last}: ${error.message}`));
    response.on('end', () => resolve(wrong || (ended ? '' : `ended after hand ${last} without the match's end`)));
    response.on('data', (part: Buffer) => {
      bytes += part.length;
      const lines = (rest + part.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        ended ||= line === 'event: end';
        const number = /^id: \d+:(\d+)$/.exec(line)?.[1];
        if (number === undefined || number === '0') continue;
        if (Number(number) !== last + 1) wrong ||= `hand ${number} after hand ${last}`;
        last = Number(number);
      }
    });
  });
  open.on('error', (error) => resolve(`broken after hand ${last}: ${error.message}`));
  open.end();
  return promise;
}

function loadHands({ origin, games }: Command, first: number): void {
  let at = first;
  const load = () => {
    const game = games[at++ % games.length];
    request(`${origin}/live/game/${game}`, { headers: { 'accept-encoding': 'br, gzip' } }, (response) => {
      loaded += 1;
      response.resume();
    })
      .on('error', () => undefined)
      .end();
  };
  let timer = setTimeout(() => {
    load();
    timer = setInterval(load, handIntervalMs);
  }, Math.random() * handIntervalMs);
  stops.push(() => clearTimeout(timer));
}

for await (const line of createInterface({ input: process.stdin })) {
  for (const stop of stops) stop();
  stops = [];
  const command = JSON.parse(line) as Command;
  if (command.checked) {
    // Normal priority, because this mode compares no figures, and the gateway closes a connection whose request does not arrive within 15 s.
    setPriority(initialPriority);
    const results = await Promise.all(Array.from({ length: command.watchers }, (_, at) => watchMatch(command, at)));
    const wrong = results.filter((text) => text !== '');
    console.log(JSON.stringify({ complete: results.length - wrong.length, refused, wrong }));
    continue;
  }
  for (let at = 0; at < command.watchers; at += 1) {
    watch(command, at < checkedStreams);
    if (command.games.length > 0) loadHands(command, at);
  }
}
for (const stop of stops) stop();
console.log(`received ${(bytes / 1e6).toFixed(0)} MB and ${loaded} hands; gaps or repeats in checked streams: ${gaps}`);
