// Holds the connections of `make bench-watchers` in a process of the lowest priority: real watchers are other machines. Reads
// commands from standard input, one JSON a line, and prints what it received when it stops.
import { request } from 'node:http';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';

interface Command {
  readonly origin: string;
  readonly jobId: string;
  /** Number of the last hand that the watchers have. */
  readonly hand: number;
  readonly watchers: number;
  /** Game ids to load, as live tables do; empty: streams only. */
  readonly games: readonly string[];
}

setPriority(19);

/** The live table loads a hand of a fast match this often. */
const handEveryMs = 6500;
/** Streams whose every hand is counted. */
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
    timer = setInterval(load, handEveryMs);
  }, Math.random() * handEveryMs);
  stops.push(() => clearTimeout(timer));
}

for await (const line of createInterface({ input: process.stdin })) {
  for (const stop of stops) stop();
  stops = [];
  const command = JSON.parse(line) as Command;
  for (let at = 0; at < command.watchers; at += 1) {
    watch(command, at < checkedStreams);
    if (command.games.length > 0) loadHands(command, at);
  }
}
for (const stop of stops) stop();
console.log(`received ${(bytes / 1e6).toFixed(0)} MB and ${loaded} hands; gaps or repeats in checked streams: ${gaps}`);
