// `make bench-watchers`: measures how much 200 watchers of a public match slow it. Each match of 10,000 hands has periods without watchers,
// with event streams, and with streams and hands loaded as by the live table. The speed is computed from the times of the stored hands, so
// that measuring does not slow the match. Then all watchers watch a match of slower bots from its first hand to its end: each must receive
// every hand exactly once, otherwise the bench fails; also measures the memory per watcher. WATCHERS (default 200), MATCHES (default 3; 0:
// only the last part).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { registerVerified, uploadFinal } from '../../demo/accounts.ts';
import { Api } from '../../demo/api.ts';
import { startOwnPlatform, withoutLimits } from '../../up/own-platform.ts';
import { partsOf, sample } from '../load/processor-time.ts';
import { BenchRun } from './bench-run.ts';
import { describeSpread, median } from './spread.ts';

const watchers = Number(process.env.WATCHERS ?? 200);
const matches = Number(process.env.MATCHES ?? 3);
const hands = 10_000;
/** Hands of the match that all watchers watch: 50 s at 20 hands per second, in which 5,000 watchers can connect. */
const checkedHands = 1000;
const periodMs = 2500;
/** Time in which watchers connect and disconnect between periods. */
const changeMs = 700;
const kinds = ['none', 'streams', 'none', 'tables'] as const;
type Kind = (typeof kinds)[number];

// `%s`: statement that it executes for each decision.
// Folds to every bet, so that no player is eliminated and all hands are alike. About 500 hands per second with a short computation.
const bot = `import time
from bot import Bot
from type.poker_action import PokerAction

class SimplePlayer(Bot):
    def on_start(self, *args): pass
    def on_round_start(self, *args): pass
    def get_action(self, state, remaining_chips):
        %s
        mine = state.player_bets.get(str(self.id), 0)
        return (PokerAction.CHECK, 0) if state.current_bet <= mine else (PokerAction.FOLD, 0)
    def on_end_round(self, *args): pass
    def on_end_game(self, *args): pass
`;

interface Now {
  readonly running: readonly { readonly job_id: string; readonly hands_done: number }[];
}

const run = await BenchRun.start('Watchers of a match in play');
const lines: string[] = [];
const platform = await startOwnPlatform(withoutLimits);
const guest = new Api(platform.origin);
const handsPerSecond: Record<Kind, number[]> = { none: [], streams: [], tables: [] };
const cpuOf: Record<Kind, number[][]> = { none: [], streams: [], tables: [] };
const services = ['gateway', 'live-data'] as const;

const child = spawn(process.execPath, [join(import.meta.dirname, 'watcher-process.ts')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const output = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

/** Returns the next line of the watchers' process. */
async function readLine(): Promise<string> {
  const { value, done } = await output.next();
  if (done) throw new Error('the process of the watchers has ended');
  return value;
}

/** Returns the processor seconds that each of `services` has used so far. */
function readCpuS(): number[] {
  const { seconds } = sample(partsOf(platform));
  return services.map((service) => seconds.get(service) ?? 0);
}

/** Returns the number of played hands of a match; undefined if it is not in play. */
async function readHandsDone(jobId: string): Promise<number | undefined> {
  const { running } = await guest.get<Now>('/live/now');
  return running.find((match) => match.job_id === jobId)?.hands_done;
}

/** Returns the resident memory of a service in MB. */
function readMemoryMb(service: string): number {
  const status = readFileSync(`/proc/${platform.pidOf(service)}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1000;
}

async function startMatch(admin: Api, users: readonly string[], num_rounds: number): Promise<string> {
  const body = { users_list: users, num_rounds };
  const { job_id } = await admin.post<{ job_id: string }>('/sim/async_run_user', body);
  for (;;) {
    const isPublic = await admin.post(`/admin/toggle-job-public/${job_id}`, { is_public: true }).then(
      () => true,
      () => false,
    );
    if (isPublic) break;
    await wait(20);
  }
  while ((await readHandsDone(job_id)) === undefined) await wait(100);
  return job_id;
}

async function playMatch(admin: Api, users: readonly string[]): Promise<void> {
  const job_id = await startMatch(admin, users, hands);
  const paged = await guest.get<{ games: { game_id: string }[] }>(
    `/live/job/${job_id}/games/paginated?page_size=1000&page=1`,
  );
  const games = paged.games.map((game) => game.game_id);
  const periods: { kind: Kind; fromMs: number; toMs: number; load: number[] }[] = [];
  for (let turn = 0; ; turn++) {
    const kind = kinds[turn % kinds.length] as Kind;
    const hand = await readHandsDone(job_id);
    if (hand === undefined) break;
    const command = { origin: platform.origin, jobId: job_id, hand, watchers: kind === 'none' ? 0 : watchers };
    child.stdin.write(`${JSON.stringify({ ...command, games: kind === 'tables' ? games : [] })}\n`);
    await wait(changeMs);
    const fromMs = Date.now();
    const cpu = readCpuS();
    await wait(periodMs);
    const toMs = Date.now();
    const load = readCpuS().map((now, at) => ((now - (cpu[at] ?? 0)) * 1e5) / (toMs - fromMs));
    periods.push({ kind, fromMs, toMs, load });
  }
  const played = await (await fetch(`${platform.origin}/live/job/${job_id}/events`)).text();
  const times = [...played.matchAll(/"played_at":"([^"]+)"/g)].map(([, time]) => Date.parse(time ?? ''));
  const endMs = times.at(-1) ?? 0;
  for (const { kind, fromMs, toMs, load } of periods) {
    // The last period may have ended after the match.
    if (toMs > endMs) continue;
    const count = times.filter((time) => time >= fromMs && time < toMs).length;
    handsPerSecond[kind].push((count * 1000) / (toMs - fromMs));
    cpuOf[kind].push(load);
  }
}

/** Lets all watchers watch a match from its first hand to its end. Returns a summary, and whether all received every hand once. */
async function verifyStreams(admin: Api, users: readonly string[]): Promise<{ text: string; complete: boolean }> {
  const jobId = await startMatch(admin, users, checkedHands);
  const before = services.map(readMemoryMb);
  const peak = [...before];
  const sampling = setInterval(() => {
    for (const [at, service] of services.entries()) peak[at] = Math.max(peak[at] ?? 0, readMemoryMb(service));
  }, 1000);
  child.stdin.write(
    `${JSON.stringify({ origin: platform.origin, jobId, hand: 0, watchers, games: [], checked: true })}\n`,
  );
  const result = JSON.parse(await readLine()) as { complete: number; refused: number; wrong: string[] };
  clearInterval(sampling);
  const memory = services.map((service, at) => {
    const [from = 0, to = 0] = [before[at], peak[at]];
    return `${service} from ${from.toFixed(0)} to ${to.toFixed(0)} MB (${(((to - from) * 1000) / watchers).toFixed(1)} kB a watcher)`;
  });
  const text = `${result.complete} of ${watchers} watchers of a match of ${checkedHands} hands received each hand exactly once and the end event; ${result.refused} connections were refused because of overload and retried. Resident memory: ${memory.join(', ')}.`;
  return { text: [text, ...result.wrong.slice(0, 5)].join('\n'), complete: result.complete === watchers };
}

/** Registers six players with a final bot. */
async function registerPlayers(admin: Api, name: string, source: string): Promise<string[]> {
  const users: string[] = [];
  for (let seat = 1; seat <= 6; seat++) {
    const username = `${name}-${seat}`;
    await uploadFinal(await registerVerified(admin, username), source);
    users.push(username);
  }
  return users;
}

function reportPeriods(): void {
  const base = median(handsPerSecond.none);
  lines.push('| | hands/s, median | of each period | CPU |', '|---|---|---|---|');
  for (const kind of ['none', 'streams', 'tables'] as const) {
    const values = handsPerSecond[kind];
    const label = { none: 'no watchers', streams: `${watchers} streams`, tables: `${watchers} live tables` }[kind];
    const share = (((median(values) - base) / base) * 100).toFixed(1);
    const cpu = services
      .map((name, at) => `${name} ${median(cpuOf[kind].map((load) => load[at] ?? 0)).toFixed(0)} %`)
      .join(', ');
    lines.push(
      `| ${label} | ${median(values).toFixed(0)} (${share} %) | ${describeSpread(values, 0)}; ${values.length} periods | ${cpu} |`,
    );
  }
}

try {
  const admin = await guest.signIn(platform.admin);
  if (matches > 0) {
    const users = await registerPlayers(admin, 'watched', bot.replace('%s', 'sum(range(4000))'));
    for (let match = 0; match < matches; match++) await playMatch(admin, users);
    reportPeriods();
  }
  const slow = await registerPlayers(admin, 'slow', bot.replace('%s', 'time.sleep(0.008)'));
  const { text, complete } = await verifyStreams(admin, slow);
  lines.push('', text);
  if (!complete) process.exitCode = 1;
  const exit = once(child, 'exit');
  child.stdin.end();
  lines.push('', await readLine());
  await exit;
} finally {
  child.kill();
  await platform.stop();
}
await run.finish(lines.join('\n'));
