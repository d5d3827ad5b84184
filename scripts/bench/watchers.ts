// `make bench-watchers`: how much 200 watchers of one public match slow it. Each match of 10,000 hands has stretches without
// watchers, with event streams, and with streams and hands loaded as the live table does. Speed is computed from the times of
// the stored hands, so that measuring costs nothing during the match. A last match of slower bots is watched by all from its first
// hand to its end: each must get every hand exactly once; with the memory of a watcher. Fails if one does not. WATCHERS (default 200),
// MATCHES (default 3; 0: only the last one).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { partsOf, sample } from '../../k8s/load/processor-time.ts';
import { registerVerified, uploadFinal } from '../demo/accounts.ts';
import { Api } from '../demo/api.ts';
import { startOwnPlatform, withoutLimits } from '../up/own-platform.ts';
import { BenchRun } from './bench-run.ts';
import { describeSpread, median } from './spread.ts';

const watchers = Number(process.env.WATCHERS ?? 200);
const matches = Number(process.env.MATCHES ?? 3);
const hands = 10_000;
/** Of the match whose every hand is checked: at 20 hands a second 50 s, in which 5,000 watchers can come. */
const checkedHands = 1000;
const stretchMs = 2500;
/** Time for watchers to come and go, which is not measured. */
const changeMs = 700;
const kinds = ['none', 'streams', 'none', 'tables'] as const;
type Kind = (typeof kinds)[number];

// `%s`: what it does for a decision.
// Folds to every bet, so that no player is eliminated and all hands are alike. Computes a little, as bots do: about 500 hands a second.
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
const found: Record<Kind, number[]> = { none: [], streams: [], tables: [] };
const cpuOf: Record<Kind, number[][]> = { none: [], streams: [], tables: [] };
const services = ['gateway', 'live-data'] as const;

const child = spawn(process.execPath, [join(import.meta.dirname, 'watcher-process.ts')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

/** Resolves with the next line of the watchers' process. */
async function nextLine(): Promise<string> {
  const { value, done } = await said.next();
  if (done) throw new Error('the process of the watchers has ended');
  return value;
}

/** Returns the processor seconds of each of `services` so far. */
function cpuS(): number[] {
  const { seconds } = sample(partsOf(platform));
  return services.map((service) => seconds.get(service) ?? 0);
}

/** Returns the number of hands of a match in play; undefined when it is not in play. */
async function handsDone(jobId: string): Promise<number | undefined> {
  const { running } = await guest.get<Now>('/live/now');
  return running.find((match) => match.job_id === jobId)?.hands_done;
}

/** Resident memory of a service in MB. */
function memoryMb(service: string): number {
  const status = readFileSync(`/proc/${platform.pidOf(service)}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1000;
}

async function startMatch(admin: Api, users: readonly string[], num_rounds: number): Promise<string> {
  const body = { users_list: users, num_rounds };
  const { job_id } = await admin.post<{ job_id: string }>('/sim/async_run_user', body);
  for (;;) {
    const made = await admin.post(`/admin/toggle-job-public/${job_id}`, { is_public: true }).then(
      () => true,
      () => false,
    );
    if (made) break;
    await wait(20);
  }
  while ((await handsDone(job_id)) === undefined) await wait(100);
  return job_id;
}

async function playMatch(admin: Api, users: readonly string[]): Promise<void> {
  const job_id = await startMatch(admin, users, hands);
  const paged = await guest.get<{ games: { game_id: string }[] }>(
    `/live/job/${job_id}/games/paginated?page_size=1000&page=1`,
  );
  const games = paged.games.map((game) => game.game_id);
  const stretches: { kind: Kind; fromMs: number; toMs: number; load: number[] }[] = [];
  for (let turn = 0; ; turn++) {
    const kind = kinds[turn % kinds.length] as Kind;
    const hand = await handsDone(job_id);
    if (hand === undefined) break;
    const command = { origin: platform.origin, jobId: job_id, hand, watchers: kind === 'none' ? 0 : watchers };
    child.stdin.write(`${JSON.stringify({ ...command, games: kind === 'tables' ? games : [] })}\n`);
    await wait(changeMs);
    const fromMs = Date.now();
    const cpu = cpuS();
    await wait(stretchMs);
    const toMs = Date.now();
    const load = cpuS().map((now, at) => ((now - (cpu[at] ?? 0)) * 1e5) / (toMs - fromMs));
    stretches.push({ kind, fromMs, toMs, load });
  }
  const played = await (await fetch(`${platform.origin}/live/job/${job_id}/events`)).text();
  const times = [...played.matchAll(/"played_at":"([^"]+)"/g)].map(([, time]) => Date.parse(time ?? ''));
  const endMs = times.at(-1) ?? 0;
  for (const { kind, fromMs, toMs, load } of stretches) {
    // The last stretch may have continued after the match.
    if (toMs > endMs) continue;
    const count = times.filter((time) => time >= fromMs && time < toMs).length;
    found[kind].push((count * 1000) / (toMs - fromMs));
    cpuOf[kind].push(load);
  }
}

/** Lets all watchers watch a match from its first hand to its end. Returns a sentence with what each got and the memory that it costs. */
async function watchWhole(admin: Api, users: readonly string[]): Promise<{ text: string; whole: boolean }> {
  const jobId = await startMatch(admin, users, checkedHands);
  const before = services.map(memoryMb);
  const peak = [...before];
  const sampling = setInterval(() => {
    for (const [at, service] of services.entries()) peak[at] = Math.max(peak[at] ?? 0, memoryMb(service));
  }, 1000);
  child.stdin.write(
    `${JSON.stringify({ origin: platform.origin, jobId, hand: 0, watchers, games: [], checked: true })}\n`,
  );
  const found = JSON.parse(await nextLine()) as { whole: number; refused: number; wrong: string[] };
  clearInterval(sampling);
  const memory = services.map((service, at) => {
    const [from = 0, to = 0] = [before[at], peak[at]];
    return `${service} from ${from.toFixed(0)} to ${to.toFixed(0)} MB (${(((to - from) * 1000) / watchers).toFixed(1)} kB a watcher)`;
  });
  const text = `${found.whole} of ${watchers} watchers of a match of ${checkedHands} hands got each hand exactly once and its end; ${found.refused} times one was refused for overload and came again. Resident memory: ${memory.join(', ')}.`;
  return { text: [text, ...found.wrong.slice(0, 5)].join('\n'), whole: found.whole === watchers };
}

/** Registers six players with a final bot. */
async function makePlayers(admin: Api, name: string, source: string): Promise<string[]> {
  const users: string[] = [];
  for (let seat = 1; seat <= 6; seat++) {
    const username = `${name}-${seat}`;
    await uploadFinal(await registerVerified(admin, username), source);
    users.push(username);
  }
  return users;
}

function reportStretches(): void {
  const base = median(found.none);
  lines.push('| | hands/s, median | of each stretch | CPU |', '|---|---|---|---|');
  for (const kind of ['none', 'streams', 'tables'] as const) {
    const values = found[kind];
    const what = { none: 'no watchers', streams: `${watchers} streams`, tables: `${watchers} live tables` }[kind];
    const share = (((median(values) - base) / base) * 100).toFixed(1);
    const cpu = services
      .map((name, at) => `${name} ${median(cpuOf[kind].map((load) => load[at] ?? 0)).toFixed(0)} %`)
      .join(', ');
    lines.push(
      `| ${what} | ${median(values).toFixed(0)} (${share} %) | ${describeSpread(values, 0)}; ${values.length} stretches | ${cpu} |`,
    );
  }
}

try {
  const admin = await guest.signIn(platform.admin);
  if (matches > 0) {
    const users = await makePlayers(admin, 'watched', bot.replace('%s', 'sum(range(4000))'));
    for (let match = 0; match < matches; match++) await playMatch(admin, users);
    reportStretches();
  }
  const slow = await makePlayers(admin, 'slow', bot.replace('%s', 'time.sleep(0.008)'));
  const { text, whole } = await watchWhole(admin, slow);
  lines.push('', text);
  if (!whole) process.exitCode = 1;
  const exit = once(child, 'exit');
  child.stdin.end();
  lines.push('', await nextLine());
  await exit;
} finally {
  child.kill();
  await platform.stop();
}
await run.finish(lines.join('\n'));
