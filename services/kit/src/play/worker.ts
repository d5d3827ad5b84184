import { chmodSync, mkdirSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { startSeatHost } from '@husky/runner/host/own-seat-host';
import { describeSandbox, type SeatHost } from '@husky/runner/host/seat-host';
import { KitError, toKitError } from '../wire.ts';
import { compareWithFile } from './compare.ts';
import { finishMatch } from './match-files.ts';
import type { PlannedMatch } from './plan.ts';
import { playMatch } from './play-match.ts';
import type { PlayRequest } from './request.ts';
import { adjustedNets, type MatchSummary, summarize } from './summary.ts';

const reportIntervalMs = 100;

/** The data with which a worker is started. */
export interface PlayWorkerData {
  readonly task: 'play';
  readonly request: PlayRequest;
  /** The worker's own folder, in which its seat host runs. */
  readonly runDir: string;
}

/** A message to a worker: the next match with the folder for its files, or the order to stop. */
export type PlayOrder =
  | { readonly type: 'match'; readonly plan: PlannedMatch; readonly folder: string | null }
  | { readonly type: 'stop' };

/** A seat host's description of its sandbox. */
export type Sandbox = ReturnType<typeof describeSandbox> & { readonly python: string };

/** A message from a worker. */
export type PlayReport =
  | { readonly type: 'ready'; readonly sandbox: Sandbox }
  | { readonly type: 'hands'; readonly index: number; readonly done: number }
  | { readonly type: 'done'; readonly summary: MatchSummary }
  | { readonly type: 'failed'; readonly message: string; readonly code: number; readonly stack?: string | undefined };

/** Plays matches, one at a time, on a seat host of its own until an order to stop. Runs in a worker thread. */
export async function runPlayWorker(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('a worker has a parent');
  const { request, runDir } = workerData as PlayWorkerData;
  const stop = new AbortController();
  const report = (message: PlayReport) => port.postMessage(message);
  const orders: PlayOrder[] = [];
  let wake = (): void => undefined;
  port.on('message', (order: PlayOrder) => {
    if (order.type === 'stop') stop.abort(new KitError(130, 'stopped'));
    else orders.push(order);
    wake();
  });
  let own: Awaited<ReturnType<typeof startSeatHost>> | undefined;
  try {
    mkdirSync(runDir, { recursive: true });
    // Seats may have users of their own.
    chmodSync(runDir, 0o755);
    own = await startSeatHost({
      python: request.python,
      seatFolder: request.seat_folder,
      module: request.seat_module,
      runDir,
      options: request.require_sandbox ? [] : ['--allow-strangers-without-sandbox'],
    });
    report({ type: 'ready', sandbox: await sandboxOf(own.host, request) });
    while (!stop.signal.aborted) {
      const order = orders.shift();
      if (order?.type === 'match') report(await playOrder(order, request, own.host, stop.signal, report));
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } catch (error) {
    const { message, code, stack } = toKitError(error);
    if (!stop.signal.aborted) report({ type: 'failed', message, code, stack });
  } finally {
    await own?.stop();
    port.close();
  }
}

async function playOrder(
  { plan, folder }: Extract<PlayOrder, { type: 'match' }>,
  request: PlayRequest,
  host: SeatHost,
  stop: AbortSignal,
  report: (message: PlayReport) => void,
): Promise<PlayReport> {
  let reportedAt = 0;
  const onHands = (done: number) => {
    const now = performance.now();
    if (now - reportedAt < reportIntervalMs) return;
    reportedAt = now;
    report({ type: 'hands', index: plan.index, done });
  };
  const played = await playMatch(plan, request, host, onHands, stop);
  if (folder !== null) mkdirSync(folder, { recursive: true });
  const found = summarize(played, finishMatch(played, request, folder));
  const summary = request.luck ? { ...found, adjusted: adjustedNets(played) } : found;
  if (plan.like === null) return { type: 'done', summary };
  return { type: 'done', summary: { ...summary, like: await compareWithFile(plan.like, played, request) } };
}

async function sandboxOf(host: SeatHost, request: PlayRequest): Promise<Sandbox> {
  const { python, sandbox, strangers } = await host.hello();
  if (request.require_sandbox && !strangers)
    throw new KitError(2, `the sandbox is incomplete on this machine: ${sandbox.missing.join('; ')}`);
  return { ...describeSandbox(sandbox), python };
}
