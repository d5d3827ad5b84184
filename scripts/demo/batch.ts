// `make demo-batch`: runs a batch of all 28 matches of six among eight users with example bots, on a running platform. Publishes the
// batch, unpublishes and publishes it again, and verifies every score against the raw games.
import { exampleBots, signInAdmin, signInPlayer, submitFinal } from './accounts.ts';
import { Api } from './api.ts';

const bots = [...exampleBots, 'house', 'random-legal-2'];
const maxWaitMs = Number(process.env.LONGEST_WAIT_MINUTES ?? 60) * 60_000;
const readConcurrency = 8;

const api = new Api(process.env.ORIGIN ?? `http://localhost:${process.env.PORT ?? 8080}`);
const print = (text: string) => process.stdout.write(`${text}\n`);

function expect(condition: boolean, sentence: string): void {
  if (!condition) throw new Error(sentence);
}

interface BatchStatus {
  total_jobs: number;
  generated_jobs: number;
  job_statuses: Record<'PENDING' | 'RUNNING' | 'FINISHED' | 'FAILED', number>;
  hands_per_second: number | null;
  seconds_left: number | null;
}

/** Waits for all matches of a batch and prints its progress. */
async function waitForBatch(admin: Api, batchId: string): Promise<BatchStatus> {
  const startedMs = Date.now();
  let shown = '';
  for (;;) {
    const batch = await admin.get<BatchStatus>(`/llm/batch/${batchId}`);
    const { PENDING, RUNNING, FINISHED, FAILED } = batch.job_statuses;
    const rate = batch.hands_per_second === null ? '' : `, ${Math.round(batch.hands_per_second)} hands/s`;
    const left = batch.seconds_left === null ? '' : `, ${Math.round(batch.seconds_left)} s left`;
    const line = `  ${FINISHED}/${batch.total_jobs} finished, ${RUNNING} running, ${FAILED} failed`;
    if (line !== shown) print(`${line}${rate}${left}`);
    shown = line;
    if (batch.generated_jobs === batch.total_jobs && PENDING + RUNNING === 0) return batch;
    expect(Date.now() - startedMs < maxWaitMs, 'the batch has not finished in time');
    await new Promise((next) => setTimeout(next, 1000));
  }
}

type Money = Record<string, number>;

interface GameData {
  playerNames: Record<string, string>;
  playerMoney: { startingMoney: Money; finalMoney: Money };
}

/** Sums what each player won or lost over all hands of a match. Reads the games without an account. */
async function sumGames(jobId: string): Promise<{ sums: Map<string, number>; games: number }> {
  const { games } = await api.get<{ games: { game_id: string }[] }>(`/live/job/${jobId}/games`);
  const sums = new Map<string, number>();
  const remaining = [...games];
  const readNext = async () => {
    for (let game = remaining.pop(); game; game = remaining.pop()) {
      const { game_data } = await api.get<{ game_data: GameData }>(`/live/game/${game.game_id}`);
      const { startingMoney, finalMoney } = game_data.playerMoney;
      for (const [seat, name] of Object.entries(game_data.playerNames)) {
        const id = String(Number(seat) + 1);
        const won = (finalMoney[id] ?? 0) - (startingMoney[id] ?? 0);
        sums.set(name, (sums.get(name) ?? 0) + won);
      }
    }
  };
  await Promise.all(Array.from({ length: readConcurrency }, readNext));
  return { sums, games: games.length };
}

async function readScores(players: readonly string[]): Promise<Map<string, number>> {
  const { top_entries } = await api.get<{ top_entries: { username: string; score: number }[] }>(
    '/leaderboard/top/1000?tag=llm-batch',
  );
  const scores = new Map(top_entries.map((entry) => [entry.username, entry.score]));
  return new Map(players.map((player) => [player, scores.get(player) ?? 0]));
}

const cents = (value: number) => Math.round(value * 100);

function verifyChanges(
  before: Map<string, number>,
  after: Map<string, number>,
  sums: Map<string, number>,
  label: string,
): void {
  for (const [player, score] of after) {
    const change = cents(score) - cents(before.get(player) ?? 0);
    const expected = cents(sums.get(player) ?? 0);
    expect(change === expected, `${label}: the score of ${player} changed by ${change} cents instead of ${expected}`);
  }
  print(`${label}: every score changed by the sum over the raw games, to the cent`);
}

async function demo(): Promise<void> {
  const admin = await signInAdmin(api);
  const players: string[] = [];
  for (const bot of bots) {
    const username = `demo-${bot}`;
    await submitFinal(await signInPlayer(api, username, admin), bot.replace(/-\d+$/, ''));
    players.push(username);
  }
  print(`${players.length} users with final submissions: ${players.join(', ')}`);
  const before = await readScores(players);
  const { batch_id, total_jobs } = await admin.post<{ batch_id: string; total_jobs: number }>('/llm/batch-run', {
    users_list: players,
  });
  expect(total_jobs === 28, `${total_jobs} jobs, not 28`);
  await admin.post(`/llm/batch/${batch_id}/metadata`, { note: 'make demo-batch' });
  print(`batch ${batch_id}: ${total_jobs} matches of 1,000 hands`);
  const startedMs = Date.now();
  const ended = await waitForBatch(admin, batch_id);
  expect(ended.job_statuses.FAILED === 0, `${ended.job_statuses.FAILED} matches have failed`);
  print(`all finished after ${((Date.now() - startedMs) / 1000).toFixed(0)} s`);

  const added = await admin.post<{ jobs_added_now: number; all_added: boolean }>(`/llm/process-batch/${batch_id}`);
  expect(added.jobs_added_now === total_jobs && added.all_added, 'not every job was added');
  const repeated = await admin.post<{ jobs_added_now: number }>(`/llm/process-batch/${batch_id}`);
  expect(repeated.jobs_added_now === 0, 'a repeated call added jobs again');
  const published = await readScores(players);

  const open = await admin.post<{ is_public: boolean }>(`/llm/batch/${batch_id}/public`, { public: true });
  expect(open.is_public, 'the batch could not be made public');
  print('the batch is public; summing the raw games without an account ...');
  const readStartedMs = Date.now();
  const { jobs } = await admin.get<{ jobs: { job_id: string; result_data: Record<string, number> }[] }>(
    `/llm/batch/${batch_id}/jobs?page_size=100`,
  );
  const sums = new Map<string, number>();
  let hands = 0;
  for (const job of jobs) {
    const match = await sumGames(job.job_id);
    hands += match.games;
    for (const [player, won] of match.sums) {
      expect(
        job.result_data[player] === won,
        `job ${job.job_id}: the games of ${player} sum to ${won}, the result is ${job.result_data[player]}`,
      );
      sums.set(player, (sums.get(player) ?? 0) + won);
    }
  }
  const total = [...sums.values()].reduce((sum, won) => sum + won, 0);
  expect(total === 0, `the raw games sum to ${total}, not to zero`);
  const seconds = (Date.now() - readStartedMs) / 1000;
  print(`${hands} games of ${jobs.length} matches read in ${seconds.toFixed(0)} s; they sum to zero`);
  verifyChanges(before, published, sums, 'published');

  const removed = await admin.post<{ jobs_removed: number }>(`/llm/delete-batch-leaderboard/${batch_id}`);
  expect(removed.jobs_removed === total_jobs, 'not every job was removed');
  verifyChanges(before, await readScores(players), new Map(), 'removed');
  await admin.post(`/llm/process-batch/${batch_id}`);
  verifyChanges(before, await readScores(players), sums, 'published again');

  print('\nthe llm-batch leaderboard:');
  const scores = [...(await readScores(players))].sort((a, b) => b[1] - a[1]);
  for (const [index, [player, score]] of scores.entries()) {
    print(`  ${String(index + 1).padStart(2)}. ${player.padEnd(24)} ${score}`);
  }
  print(`\nbatch page        ${api.origin}/llm-batch`);
  print(`a match           ${api.origin}/games/${jobs[0]?.job_id}`);
}

demo().catch((error: unknown) => {
  const unreachable = error instanceof TypeError ? `no platform at ${api.origin}: start it first (make up)` : undefined;
  process.stderr.write(`demo-batch: ${unreachable ?? (error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = 1;
});
