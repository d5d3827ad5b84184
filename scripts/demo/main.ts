// `make demo`: plays a match of 1,000 hands among six users with example bots, publishes it and adds it to the leaderboard. Uses a
// running platform; if there is none, starts one and stops it at the end (KEEP=1: on Ctrl-C).
import { exampleBots, signInAdmin, signInPlayer, submitFinal } from './accounts.ts';
import { Api } from './api.ts';
import { type DemoPlatform, demoPlatform } from './platform.ts';

const handCount = Number(process.env.HANDS ?? 1000);
const maxWaitMs = 15 * 60_000;

const print = (text: string) => process.stdout.write(`${text}\n`);

interface Status {
  job_status: string;
  hands_done: number;
  hands_played: number | null;
  ended_early: string | null;
  error?: string;
  queue_position: number | null;
  result_data?: Record<string, number>;
}

/** Waits for the end of a match and prints its progress. */
async function waitForMatch(admin: Api, jobId: string): Promise<Status> {
  const startedMs = Date.now();
  const tty = process.stdout.isTTY === true;
  let shown = '';
  for (;;) {
    const status = await admin.get<Status>(`/sim/status/${jobId}`);
    const done = Math.round((status.hands_done / handCount) * 30);
    const bar = `${'#'.repeat(done)}${'.'.repeat(30 - done)}`;
    const line = `  [${bar}] ${status.hands_done}/${handCount} hands, ${status.job_status}`;
    if (tty) process.stdout.write(`\r${line}`);
    else if (line !== shown) print(line);
    shown = line;
    if (status.job_status === 'Finished' || status.job_status === 'Failed') {
      if (tty) print('');
      return status;
    }
    if (Date.now() - startedMs > maxWaitMs)
      throw new Error(`The match has not finished within ${maxWaitMs / 60_000} minutes`);
    await new Promise((next) => setTimeout(next, 500));
  }
}

function expect(condition: boolean, sentence: string): void {
  if (!condition) throw new Error(sentence);
}

async function demo({ origin, dataDir }: DemoPlatform): Promise<void> {
  const api = new Api(origin);
  const admin = await signInAdmin(api, dataDir);
  const players: string[] = [];
  for (const bot of exampleBots) {
    const username = `demo-${bot}`;
    await submitFinal(await signInPlayer(api, username, admin, dataDir), bot);
    players.push(username);
    print(`${username} is registered, its bot is final`);
  }
  const { job_id } = await admin.post<{ job_id: string }>('/sim/async_run_user', {
    users_list: players,
    num_rounds: handCount,
  });
  print(`match ${job_id}: six bots, ${handCount} hands`);
  const startedMs = Date.now();
  const status = await waitForMatch(admin, job_id);
  if (status.job_status === 'Failed') throw new Error(`The match failed: ${status.error}`);
  const seconds = (Date.now() - startedMs) / 1000;
  const results = status.result_data ?? {};
  const played = status.hands_played ?? 0;
  print(
    `finished after ${seconds.toFixed(1)} s: ${played} hands${status.ended_early ? ` (${status.ended_early})` : ''}`,
  );

  const { games } = await admin.get<{ games: { game_id: string; game_uuid: string }[] }>(`/live/job/${job_id}/games`);
  const series = await admin.get<Record<string, number[]>>(`/live/job/${job_id}/user-performance`);
  const total = Object.values(results).reduce((sum, delta) => sum + delta, 0);
  expect(total === 0, `the deltas sum to ${total}, not to zero`);
  expect(games.length === played, `${games.length} games are stored, not ${played}`);
  for (const [name, delta] of Object.entries(results)) {
    expect(series[name]?.at(-1) === delta, `the series of ${name} does not end in its result`);
  }
  for (const game of [games[0], games[Math.floor(games.length / 2)], games.at(-1)]) {
    const { game_data } = await admin.get<{ game_data: { rounds: object } }>(`/live/game/${game?.game_id}`);
    expect(typeof game_data.rounds === 'object', `game ${game?.game_id} cannot be read`);
  }

  const { is_public } = await admin.post<{ is_public: boolean }>(`/admin/toggle-job-public/${job_id}`);
  expect(is_public, 'the match could not be published');
  await admin.post(`/admin/process-tournament-2025-job/${job_id}`);
  const { top_entries } = await api.get<{ top_entries: { username: string; score: number; rank: number }[] }>(
    '/leaderboard/top/20?tag=2025',
  );
  print('\nresult (deltas sum to zero):');
  for (const [name, delta] of Object.entries(results).sort((a, b) => b[1] - a[1])) {
    print(`  ${name.padEnd(24)} ${delta >= 0 ? '+' : ''}${delta}`);
  }
  print('\nthe 2025 leaderboard:');
  for (const { rank, username, score } of top_entries)
    print(`  ${String(rank).padStart(2)}. ${username.padEnd(24)} ${score}`);
  print(`\nmatch and graph   ${api.origin}/games/${job_id}`);
  print(`first hand        ${api.origin}/replay/${games[0]?.game_id}`);
  print(`leaderboard       ${api.origin}/`);
}

/** Waits for Ctrl-C or SIGTERM. Further signals are ignored, so that the platform stops gracefully. */
function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
  });
}

async function main(): Promise<void> {
  const signal = waitForSignal();
  const platform = await demoPlatform(process.env, print);
  try {
    const interruption = await Promise.race([demo(platform), signal]);
    if (interruption !== undefined) throw new Error(`ended by ${interruption}`);
    if (platform.own === undefined || !process.env.KEEP) return;
    print(`\nthe platform stays up at ${platform.origin} until Ctrl-C: admin, ${platform.own.adminPassword}`);
    await signal;
  } finally {
    await platform.own?.stop();
  }
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    const unreachable =
      error instanceof TypeError ? 'the platform does not respond: start it first (make up)' : undefined;
    process.stderr.write(`demo: ${unreachable ?? (error instanceof Error ? error.message : String(error))}\n`);
    process.exit(1);
  },
);
