// `make paths`: counts the source files that each of five actions enters at run time, on a platform of its own, and lists them.
//
// V8 counts the calls of each function (Profiler.startPreciseCoverage). A file is entered if one of its functions is called before the answer in
// each of three runs of the action, and not in an idle time. What other services do because of the action's events is no part of it: NATS
// stands still until the answer. Files of gateway, auth and lib that two changes in different services both enter, in the second after the
// answer too, are the transport of any call and are counted apart. A raise enters the functions that are called in most windows of 50 ms in
// which the dealer judges an act, and in few of the other windows of the match; the bot counts the modules of its seat by sys.setprofile,
// from its return to its next question.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createSigner } from '@husky/runtime/rpc/identity';
import { registerVerified, uploadFinal } from '../demo/accounts.ts';
import { Api } from '../demo/api.ts';
import { waitUntilFinished } from '../demo/wait-until-finished.ts';
import { startOwnPlatform, withoutLimits } from '../up/own-platform.ts';
import { SyntheticRunner } from './bench/fleet/synthetic-runner.ts';
import { findRunnerProcesses, variableOf } from './chaos/processes.ts';

const root = join(import.meta.dirname, '../..');
const repeats = 3;
const idleMs = 12_000;
const windowMs = 50;
const services = ['gateway', 'auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool'];
const folder = mkdtempSync(join(tmpdir(), 'husky-paths-'));
const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Runs in a service: answers each connection to `path` with the functions called since the one before. */
function record(path: string): void {
  const { Session, close } = process.getBuiltinModule('node:inspector');
  const { createServer } = process.getBuiltinModule('node:net');
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  createServer((socket) => {
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      const called = result.flatMap(({ url, functions }) =>
        functions.flatMap(({ ranges: [range] }) =>
          range?.count && range.startOffset > 0 ? `${url}:${range.startOffset}` : [],
        ),
      );
      socket.end(called.join('\n'));
    });
  }).listen(path);
  // Frees the port of the inspector for the next process.
  setTimeout(close, 100);
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
  const expression = `(${record.toString()})(${JSON.stringify(join(folder, name))})`;
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
  await closed;
}

const isOurs = (path: string) => /^(gateway|services)\/.*[.]ts:/.test(path) && !/generated/.test(path);
const fileOf = (called: string) => called.replace(/:.*/, '');
const without = <T>(values: Iterable<T>, others: ReadonlySet<T>) =>
  new Set([...values].filter((value) => !others.has(value)));
const both = <T>(values: Iterable<T>, others: ReadonlySet<T>) =>
  new Set([...values].filter((value) => others.has(value)));
const filesOf = (called: Iterable<string>) => new Set([...called].map(fileOf));

/** Returns the functions of ours that these processes have called since the last time, as path:offset. */
async function take(names: readonly string[]): Promise<Set<string>> {
  const taken = await Promise.all(names.map((name) => text(connect(join(folder, name)))));
  const called = taken.flatMap((lines) => lines.split('\n')).filter((url) => url.startsWith('file:'));
  return new Set(called.map((url) => relative(root, url.replace('file://', ''))).filter(isOurs));
}

/** Raises the minimum in its first turn of a hand and folds after that. Prints the modules of its seat that an act enters. */
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
        time.sleep(0.08)
        if self.raised:
            self.raised = False
            return PokerAction.FOLD, 0
        self.raised = True
        sys.setprofile(self.enter)
        return PokerAction.RAISE, round_state.min_raise

    def enter(self, frame, event, argument):
        if event == "call":
            self.entered.add(str(frame.f_globals.get("__name__")))

    def on_end_round(self, *_):
        sys.setprofile(None)
        self.raised = False

    def on_end_game(self, *_):
        pass
`;

const platform = await startOwnPlatform({ ...withoutLimits, POOL_SIZE: '3' }, undefined, { fromSources: true });
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
  const { dealers } = findRunnerProcesses(platform.dataDir);
  for (const [at, pid] of dealers.entries()) await observe(`dealer-${at}`, pid);
  const report = (label: string, entered: ReadonlySet<string>, transport: ReadonlySet<string>) => {
    const own = [...without(entered, transport)].sort();
    print(`${label}: ${own.length} files, and ${entered.size - own.length} of the transport\n  ${own.join('\n  ')}`);
  };
  const idleTime = async () => {
    await take(services);
    await pause(idleMs);
    return await take(services);
  };
  const nats = platform.pidOf('nats') as number;
  const enteredBy = async (quiet: ReadonlySet<string>, act: () => Promise<unknown>, settleMs = 0) => {
    await take(services);
    if (settleMs === 0) process.kill(nats, 'SIGSTOP');
    await act();
    await pause(settleMs);
    const entered = filesOf(without(await take(services), quiet));
    process.kill(nats, 'SIGCONT');
    return entered;
  };
  const idle = await idleTime();
  const none = new Set<string>();
  const { files } = await player.get<{ files: { id: string }[] }>('/submission/list');
  const mark = { submission_id: files[0]?.id };
  const remark = async () => {
    await player.post('/submission/unmark_final', mark);
    await player.post('/submission/mark_final', mark);
  };
  const inSubmission = await enteredBy(none, remark, 1000);
  const inSimulation = await enteredBy(none, () => admin.post(`/admin/toggle-job-public/${first}`), 1000);
  const transport = new Set(
    [...both(inSubmission, inSimulation)].filter((file) => /^(gateway|services[/](auth|lib))[/]/.test(file)),
  );
  print(`transport: ${transport.size} files\n  ${[...transport].sort().join('\n  ')}`);
  const measure = async (label: string, quiet: ReadonlySet<string>, act: (run: number) => Promise<unknown>) => {
    let entered = await enteredBy(quiet, () => act(0));
    for (let run = 1; run < repeats; run++) {
      await pause(1000);
      entered = both(entered, await enteredBy(quiet, () => act(run)));
    }
    report(label, entered, transport);
  };
  const playerFile = (run: number) => ({ name: 'player.py', text: `${raisingBot}# ${run}\n` });
  const requirementsFile = { name: 'requirements.txt', text: '' };
  await measure('upload', idle, (run) =>
    player.upload('/submission/upload', { playerFile: playerFile(run), requirementsFile }),
  );

  const matches = [await match(6)];
  const windows: Set<string>[] = [];
  const played = waitUntilFinished(admin, matches[0] as string, 180_000).then(() => true);
  const names = dealers.map((_, at) => `dealer-${at}`);
  while (!(await Promise.race([played, pause(windowMs, false)]))) windows.push(await take(names));
  const judges = (window: ReadonlySet<string>) => filesOf(window).has('services/runner/src/play/judge.ts');
  const acting = windows.filter(judges);
  const others = windows.filter((window) => !judges(window));
  const share = (called: string, among: readonly ReadonlySet<string>[]) =>
    among.filter((window) => window.has(called)).length / among.length;
  const often = [...new Set(acting.flatMap((window) => [...window]))].filter(
    (called) => share(called, acting) > 0.5 && share(called, others) < 0.5,
  );
  const { log } = await admin.get<{ log: string }>(`/live/job/${matches[0]}/bots/paths-2`);
  const seat = [...log.matchAll(/^entered (.*)$/gm)]
    .flatMap(([, modules = '']) => modules.split(' '))
    .filter((module) => /^(husky_seat|type|bot)([.]|$)/.test(module))
    .map(
      (module) =>
        `services/runner/seat/${module.startsWith('husky_seat') ? '' : 'api/'}${module.replaceAll('.', '/')}.py`,
    );
  report('raise', filesOf([...often, ...seat]), transport);

  while (matches.length < repeats) matches.push(await match(2));
  for (const job of matches) await waitUntilFinished(admin, job, 120_000);
  await measure('publish', idle, (run) => admin.post(`/admin/process-tournament-2025-job/${matches[run]}`));
  await measure('scale', idle, (run) => admin.post(`/docker/pool/scale?target_size=${4 - (run % 2)}`));

  // Only the runner below claims: a stopped pool starts no dealer anew.
  await pause(5000);
  const pool = platform.pidOf('pool') as number;
  const addressOf = (name: string) => variableOf(pool, `${name}_ADDRESS`) ?? '';
  services.splice(services.indexOf('pool'), 1);
  process.kill(pool, 'SIGSTOP');
  try {
    for (const pid of findRunnerProcesses(platform.dataDir).dealers) process.kill(pid, 'SIGKILL');
    for (let run = 0; run < repeats; run++) await match(2);
    const of = {
      simulation: addressOf('SIMULATION'),
      submission: addressOf('SUBMISSION'),
      'live-data': addressOf('LIVE_DATA'),
    };
    const runner = new SyntheticRunner('paths', of, createSigner(variableOf(pool, 'RUNNER_KEY_FILE') ?? ''));
    await measure('claim', await idleTime(), () => runner.claim(AbortSignal.timeout(20_000)));
  } finally {
    process.kill(pool, 'SIGCONT');
  }
} finally {
  await platform.stop();
  rmSync(folder, { recursive: true });
}
process.exit();
