// `make bench-watchers`: how much 200 watchers of one public match slow it. Each match of 10,000 hands has stretches without
// watchers, with event streams, and with streams and hands loaded as the live table does. Speed is computed from the times of
// the stored hands, so that measuring costs nothing during the match. WATCHERS (default 200), MATCHES (default 3).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { partsOf, sample } from '../../k8s/load/processor-time.ts';
import { Api } from '../demo/api.ts';
import { startOwnPlatform, withoutLimits } from '../up/own-platform.ts';
import { BenchRun } from './bench-run.ts';
import { describeSpread, median } from './spread.ts';

const watchers = Number(process.env.WATCHERS ?? 200);
const matches = Number(process.env.MATCHES ?? 3);
const hands = 10_000;
const stretchMs = 2500;
/** Time for watchers to come and go, which is not measured. */
const changeMs = 700;
const password = 'a long enough passphrase';
const kinds = ['none', 'streams', 'none', 'tables'] as const;
type Kind = (typeof kinds)[number];

// Folds to every bet, so that no player is eliminated and all hands are alike. Computes a little, as bots do: about 500 hands a second.
const bot = `from bot import Bot
from type.poker_action import PokerAction

class SimplePlayer(Bot):
    def on_start(self, *args): pass
    def on_round_start(self, *args): pass
    def get_action(self, state, remaining_chips):
        sum(range(4000))
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
const services = ['gateway', 'live-data'];

const child = spawn(process.execPath, [join(import.meta.dirname, 'watcher-process.ts')], {
  stdio: ['pipe', 'inherit', 'inherit'],
});

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

async function playMatch(admin: Api, users: readonly string[]): Promise<void> {
  const body = { users_list: users, num_rounds: hands };
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

try {
  const admin = await guest.signIn(platform.admin);
  const users: string[] = [];
  for (let seat = 1; seat <= 6; seat++) {
    const username = `watched-${seat}`;
    const account = { username, password, email: `${username}@bench.invalid` };
    const owner = await guest.register(account);
    await admin.post(`/admin/verify-user/${username}`);
    const { submission_id } = await owner.upload<{ submission_id: string }>('/submission/upload', {
      playerFile: { name: 'player.py', text: bot },
      requirementsFile: { name: 'requirements.txt', text: '' },
    });
    await owner.post('/submission/mark_final', { submission_id });
    users.push(username);
  }
  for (let match = 0; match < matches; match++) await playMatch(admin, users);
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
  child.stdin.end();
  await once(child, 'exit');
} finally {
  child.kill();
  await platform.stop();
}
await run.finish(lines.join('\n'));
