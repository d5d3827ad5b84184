// `make paths`: counts the source files that each of five actions enters at run time, on a platform of its own, and lists them.
//
// A file is entered if a function of it is called while the action runs and not in an idle time that is at least as long. V8 counts the calls
// (Profiler.startPreciseCoverage) in windows of 100 ms. Files that a plain call enters too (GET /admin/submission-count: gateway, submission and
// the way between them) are the transport and are counted apart. Of the raises of a match, the files are those of most windows with an action;
// the bot counts those of its seat by sys.setprofile, from its return to its next question.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { simulationService } from '@husky/contracts/services';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { createSigner } from '@husky/runtime/rpc/identity';
import { registerVerified, uploadFinal } from '../demo/accounts.ts';
import { Api } from '../demo/api.ts';
import { waitUntilFinished } from '../demo/wait-until-finished.ts';
import { startOwnPlatform, withoutLimits } from '../up/own-platform.ts';
import { SyntheticRunner } from './bench/fleet/synthetic-runner.ts';

const root = join(import.meta.dirname, '../..');
const windowMs = 100;
const services = ['gateway', 'auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool'];
const folder = mkdtempSync(join(tmpdir(), 'husky-paths-'));
const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Runs in a service: appends the files entered in each window to `file`. */
function record(file: string, everyMs: number): void {
  const { Session, close } = process.getBuiltinModule('node:inspector');
  const { appendFileSync } = process.getBuiltinModule('node:fs');
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const entered = new Set<string>();
  setInterval(() => {
    entered.clear();
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      for (const { url, functions } of result) {
        if (functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0))
          entered.add(url);
      }
    });
    appendFileSync(file, `${JSON.stringify({ atMs: Date.now(), files: [...entered] })}\n`);
  }, everyMs);
  // Frees the port of the inspector for the next process.
  setTimeout(close, everyMs);
}

/** Starts `record` in a running process of Node, through the inspector that SIGUSR1 opens. */
async function observe(name: string, pid: number): Promise<void> {
  process.kill(pid, 'SIGUSR1');
  let url: string | undefined;
  while (url === undefined) {
    await pause(200);
    const targets = await fetch('http://127.0.0.1:9229/json').then(
      async (response) => (await response.json()) as { webSocketDebuggerUrl: string }[],
      () => [],
    );
    url = targets[0]?.webSocketDebuggerUrl;
  }
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const expression = `(${record.toString()})(${JSON.stringify(join(folder, `${name}.jsonl`))}, ${windowMs})`;
  const answered = new Promise((resolve) => socket.addEventListener('message', resolve));
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
  await answered;
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
  await closed;
}

interface Window {
  readonly atMs: number;
  readonly files: readonly string[];
}

const isOurs = (path: string) => /^(gateway|services)\/.*[.](ts|py)$/.test(path) && !/generated/.test(path);

/** Returns the windows of a process between two times. */
const windowsOf = (name: string, fromMs: number, toMs: number): Window[] =>
  readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Window)
    .filter(({ atMs }) => atMs > fromMs && atMs <= toMs)
    .map(({ atMs, files }) => {
      const paths = files.map((url) => relative(root, url.replace('file://', ''))).filter(isOurs);
      return { atMs, files: paths };
    });

const enteredBetween = (names: readonly string[], fromMs: number, toMs: number) =>
  new Set(names.flatMap((name) => windowsOf(name, fromMs, toMs).flatMap(({ files }) => files)));

const without = (files: Iterable<string>, ...others: ReadonlySet<string>[]) =>
  [...files].filter((file) => !others.some((other) => other.has(file))).sort();

/** Raises the minimum in its first turn of a hand and folds after that. Prints the files of its seat that a raise enters. */
const raisingBot = `
import sys
import time
from bot import Bot
from type.poker_action import PokerAction


class SimplePlayer(Bot):
    def __init__(self):
        super().__init__()
        self.raised = False
        self.entered = set()

    def on_start(self, *_):
        pass

    def on_round_start(self, *_):
        pass

    def get_action(self, round_state, remaining_chips):
        sys.setprofile(None)
        if self.entered:
            print("entered", *sorted(self.entered))
        self.entered = set()
        time.sleep(0.3)
        if self.raised:
            self.raised = False
            return PokerAction.FOLD, 0
        self.raised = True
        sys.setprofile(self.enter)
        return PokerAction.RAISE, round_state.min_raise

    def enter(self, frame, event, argument):
        if event == "call":
            self.entered.add(frame.f_code.co_filename)

    def on_end_round(self, *_):
        sys.setprofile(None)
        self.raised = False

    def on_end_game(self, *_):
        pass
`;

/** Returns the process ids of the dealers of this machine that belong to the platform. */
const dealersOf = (dataDir: string): number[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        const variables = readFileSync(`/proc/${pid}/environ`, 'utf8');
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return command.includes('runner/src/main.ts') && variables.includes(dataDir) && !command.includes('taskset');
      } catch {
        return false;
      }
    });

const platform = await startOwnPlatform({ ...withoutLimits, POOL_SIZE: '3' });
try {
  const admin = await new Api(platform.origin).signIn(platform.admin);
  const users: Api[] = [];
  for (let number = 0; number < 6; number++) {
    const user = await registerVerified(admin, `paths-${number}`);
    await uploadFinal(user, raisingBot);
    users.push(user);
  }
  const player = users[0] as Api;
  const match = async (hands: number) => {
    const settings = { users_list: users.map((_, number) => `paths-${number}`), num_rounds: hands };
    return (await admin.post<{ job_id: string }>('/sim/async_run_user', settings)).job_id;
  };
  // The first match loads what is loaded once.
  const first = await match(2);
  await waitUntilFinished(admin, first, 120_000);
  for (const name of services) await observe(name, platform.pidOf(name) as number);
  const dealers = dealersOf(platform.dataDir);
  for (const [at, pid] of dealers.entries()) await observe(`dealer-${at}`, pid);
  const settledMs = 1500;
  const report = (label: string, entered: readonly string[]) => {
    const own = without(entered, transport);
    print(`${label}: ${own.length} files, and ${entered.length - own.length} of the transport\n  ${own.join('\n  ')}`);
  };
  const during = async (names: readonly string[], act: () => Promise<unknown>) => {
    const fromMs = Date.now();
    await act();
    await pause(settledMs);
    return enteredBetween(names, fromMs, Date.now());
  };
  await pause(12_000);
  const startedMs = Date.now();
  await pause(12_000);
  const idle = enteredBetween(services, startedMs - 12_000, Date.now());
  const transport = await during(services, () => admin.get('/admin/submission-count'));
  const measure = async (label: string, names: readonly string[], act: () => Promise<unknown>) => {
    report(label, without(await during(names, act), idle));
  };
  const files = {
    playerFile: { name: 'player.py', text: `${raisingBot}# again\n` },
    requirementsFile: { name: 'requirements.txt', text: '' },
  };
  await measure('upload', services, () => player.upload('/submission/upload', files));

  // One match in the dealers: the files of most windows in which a player acted.
  const fromMs = Date.now();
  const played = await match(6);
  await waitUntilFinished(admin, played, 180_000);
  const dealt = dealers.map((_, at) => windowsOf(`dealer-${at}`, fromMs, Date.now()));
  const all = dealt.flat();
  const acting = all.filter((window) => window.files.includes('services/runner/src/play/turn.ts'));
  const quiet = enteredBetween(
    dealers.map((_, at) => `dealer-${at}`),
    startedMs,
    fromMs,
  );
  const often = new Set(
    acting
      .flatMap((window) => window.files)
      .filter((file) => acting.filter((window) => window.files.includes(file)).length > acting.length / 2),
  );
  const { log } = await admin.get<{ log: string }>(`/live/job/${played}/bots/paths-2`);
  const seat = [...log.matchAll(/^entered (.*)$/gm)]
    .flatMap(([, line]) => (line ?? '').match(/\/\S+[.]py/g) ?? [])
    .filter((path) => path.startsWith('/platform') || path.startsWith('/api'));
  report('raise', [...without(often, quiet), ...[...new Set(seat)].sort()]);

  await measure('publish', services, () => admin.post(`/admin/process-tournament-2025-job/${played}`));
  await measure('scale', services, () => admin.post('/docker/pool/scale?target_size=4'));

  // The platform's runners must not claim; a running pool would uncordon them.
  await pause(5000);
  const pool = platform.pidOf('pool') as number;
  const variables = Object.fromEntries(
    readFileSync(`/proc/${pool}/environ`, 'utf8')
      .split('\0')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  ) as Record<string, string | undefined>;
  const addressOf = (name: string) => variables[`${name}_ADDRESS`] ?? '';
  process.kill(pool, 'SIGSTOP');
  try {
    const client = createRpcClient(
      simulationService,
      addressOf('SIMULATION'),
      createSigner(variables.IDENTITY_KEY_FILE ?? ''),
    );
    await client.cordonRunners({ names: [1, 2, 3, 4].map((number) => `runner-${number}`), cordoned: true });
    client.close();
    await match(2);
    await pause(2000);
    const of = {
      simulation: addressOf('SIMULATION'),
      submission: addressOf('SUBMISSION'),
      'live-data': addressOf('LIVE_DATA'),
    };
    const runner = new SyntheticRunner('paths', of, createSigner(variables.RUNNER_KEY_FILE ?? ''));
    await measure('claim', ['simulation'], () => runner.claim(AbortSignal.timeout(20_000)));
  } finally {
    process.kill(pool, 'SIGCONT');
  }
} finally {
  await platform.stop();
  rmSync(folder, { recursive: true });
}
process.exit();
