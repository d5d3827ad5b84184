// Runs the synthetic runners of `make bench-fleet` in a separate process, so that their processor time is measured separately. Reads
// commands from standard input, one JSON per line, and prints one line in response to each.
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import { createSigner } from '@husky/runtime/rpc/identity';
import { type QueuedMatch, type RecordedMatch, recordMatch } from './record-match.ts';
import { type Addresses, SyntheticRunner } from './synthetic-runner.ts';

export type Command =
  | {
      readonly do: 'start';
      readonly keyFile: string;
      readonly replicas: readonly Addresses[];
      readonly runners: number;
    }
  | { readonly do: 'record'; readonly matches: readonly QueuedMatch[] }
  /** The runners claim the one queued match in turn and hand it back. */
  | { readonly do: 'pass'; readonly rounds: number }
  /** Waits until `matches` have been claimed. They are handed back on `release`. */
  | { readonly do: 'gather'; readonly matches: number }
  | { readonly do: 'release' }
  | { readonly do: 'play'; readonly matches: number; readonly playMs: number }
  | { readonly do: 'stop' };

type ClaimHandler = (runner: SyntheticRunner, assignment: Assignment__Output, requestedAtMs: number) => Promise<void>;

const sockets: Socket[] = [];
subscribe('net.client.socket', (message) => void sockets.push((message as { socket: Socket }).socket));
const closed = { sent: 0, received: 0 };

/** Returns the number of bytes that all connections have sent and received. */
function readTraffic(): { sent: number; received: number } {
  const total = { sent: 0, received: 0 };
  for (const socket of sockets.splice(0)) {
    const sum = socket.destroyed ? closed : total;
    sum.sent += socket.bytesWritten;
    sum.received += socket.bytesRead;
    if (!socket.destroyed) sockets.push(socket);
  }
  return { sent: total.sent + closed.sent, received: total.received + closed.received };
}

const queued = new Map<string, QueuedMatch>();
const recorded = new Map<string, RecordedMatch>();
const failures = new Map<string, number>();
let runners: SyntheticRunner[] = [];
let stopping = new AbortController();
let loops: Promise<void>[] = [];
let onClaimed: ClaimHandler = (runner, assignment) => runner.handBack(assignment);

function countFailure(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  failures.set(text, (failures.get(text) ?? 0) + 1);
}

async function runLoop(runner: SyntheticRunner, { signal }: AbortController): Promise<void> {
  while (!signal.aborted) {
    const requestedAtMs = performance.now();
    try {
      const assignment = await runner.claim(signal);
      if (assignment !== null) await onClaimed(runner, assignment, requestedAtMs);
    } catch (error) {
      if (signal.aborted) return;
      countFailure(error);
      await pause(500 + Math.random() * 500);
    }
  }
}

async function stopRunners(): Promise<void> {
  stopping.abort();
  await Promise.all(loops);
  for (const runner of runners) runner.close();
  runners = [];
}

async function start({ keyFile, replicas, runners: count }: Command & { do: 'start' }): Promise<object> {
  await stopRunners();
  stopping = new AbortController();
  onClaimed = (runner, assignment) => runner.handBack(assignment);
  const signer = createSigner(keyFile);
  runners = Array.from(
    { length: count },
    (_, at) => new SyntheticRunner(`synthetic-${at}`, replicas[at % replicas.length] as Addresses, signer),
  );
  loops = [];
  for (const [at, runner] of runners.entries()) {
    // Spread over time, as the start of runners in a cluster.
    if (at % 25 === 24) await pause(100);
    loops.push(runLoop(runner, stopping));
  }
  return {};
}

async function pass({ rounds }: Command & { do: 'pass' }): Promise<object> {
  const latenciesMs: number[] = [];
  const done = Promise.withResolvers<void>();
  let handedBackAtMs = 0;
  onClaimed = async (runner, assignment) => {
    if (handedBackAtMs > 0) latenciesMs.push(performance.now() - handedBackAtMs);
    if (latenciesMs.length >= rounds) done.resolve();
    else await pause(200);
    handedBackAtMs = performance.now();
    await runner.handBack(assignment);
    // Gives another runner time to claim the match.
    await pause(2000);
  };
  await done.promise;
  return { latenciesMs };
}

let released = Promise.withResolvers<void>();

async function gather({ matches }: Command & { do: 'gather' }): Promise<object> {
  released = Promise.withResolvers();
  const { promise } = released;
  const all = Promise.withResolvers<void>();
  const atMs: number[] = [];
  onClaimed = async (runner, assignment) => {
    atMs.push(Date.now());
    if (atMs.length >= matches) all.resolve();
    await promise;
    await runner.handBack(assignment);
  };
  await all.promise;
  return { atMs };
}

async function play({ matches, playMs }: Command & { do: 'play' }): Promise<object> {
  const claimsMs: number[] = [];
  const matchesMs: number[] = [];
  let accepted = 0;
  let hands = 0;
  const done = Promise.withResolvers<void>();
  const before = readTraffic();
  const startedAtMs = performance.now();
  let claimed = 0;
  onClaimed = async (runner, assignment, requestedAtMs) => {
    if (claimed >= matches) {
      await done.promise;
      return runner.handBack(assignment);
    }
    claimed += 1;
    try {
      const claimedAtMs = performance.now();
      claimsMs.push(claimedAtMs - requestedAtMs);
      const match = matchOf(assignment);
      if (!(await runner.deliver(assignment, match, playMs))) throw new Error('a match was not accepted');
      accepted += 1;
      hands += match.hands;
      matchesMs.push(performance.now() - claimedAtMs);
      if (accepted === matches) done.resolve();
    } catch (error) {
      claimed -= 1;
      throw error;
    }
  };
  await done.promise;
  const seconds = (performance.now() - startedAtMs) / 1000;
  const after = readTraffic();
  const bytes = { sent: after.sent - before.sent, received: after.received - before.received };
  return { claimsMs, matchesMs, accepted, hands, seconds, bytes };
}

function matchOf({ jobId, attempt }: Assignment__Output): RecordedMatch {
  const match = queued.get(jobId);
  if (match === undefined) throw new Error('a match without a record was claimed');
  return (attempt === 1 && recorded.get(jobId)) || recordMatch(match, attempt);
}

function record({ matches }: Command & { do: 'record' }): object {
  const cpu = process.cpuUsage();
  let bytes = 0;
  for (const match of matches) {
    if (recorded.has(match.jobId)) continue;
    queued.set(match.jobId, match);
    const played = recordMatch(match);
    recorded.set(match.jobId, played);
    bytes += played.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (user + system) / 1e6, bytes };
}

async function run(command: Command): Promise<object> {
  if (command.do === 'start') return start(command);
  if (command.do === 'record') return record(command);
  if (command.do === 'pass') return pass(command);
  if (command.do === 'gather') return gather(command);
  if (command.do === 'play') return play(command);
  if (command.do === 'release') released.resolve();
  else await stopRunners();
  return {};
}

for await (const line of createInterface({ input: process.stdin })) {
  failures.clear();
  const result = await run(JSON.parse(line) as Command).catch((error: Error) => ({ error: error.message }));
  process.stdout.write(`${JSON.stringify({ ...result, failures: Object.fromEntries(failures) })}\n`);
}
process.exit(0);
