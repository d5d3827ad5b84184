import type pg from 'pg';

/** Returns the paths of every list call on a seeded database. The paths of one call are pages of the same list. */
export async function listCalls(client: pg.Client, jobs: number): Promise<string[][]> {
  const jobPages = Math.max(1, Math.floor((jobs / 100) * 0.9));
  const first = async <T>(sql: string) => (await client.query<{ value: T }>(sql)).rows.map((row) => row.value);
  const [job = ''] = await first<string>(
    "SELECT id AS value FROM simulation.jobs WHERE state = 'FINISHED' AND kind = 'BATCH_MATCH' LIMIT 1",
  );
  const [batch = ''] = await first<string>('SELECT id AS value FROM simulation.batches ORDER BY batch_number LIMIT 1');
  const game = `${job.slice(0, 24)}000100000001`;
  const pages = (path: string, size: number, maxPages: number) => {
    const separator = path.includes('?') ? '&' : '?';
    return [1, 2, 3, Math.ceil(maxPages / 2), maxPages].map(
      (page) => `${path}${separator}page=${page}&page_size=${size}`,
    );
  };
  return [
    pages('/admin/jobs', 100, jobPages),
    ['/admin/jobs'],
    pages('/admin/jobs?status=Failed', 100, Math.min(9, jobPages)),
    [`/admin/jobs?q=${job.slice(0, 6)}&page_size=50`],
    pages('/admin/sim-admin-jobs', 100, Math.min(90, jobPages)),
    pages('/admin/scaling-jobs', 100, 40),
    ['/admin/job-count'],
    ['/admin/user-count'],
    ['/admin/submission-count'],
    pages('/admin/users', 100, 90),
    pages('/admin/users?q=player_9', 100, 5),
    pages('/admin/users?status=unverified', 100, 4),
    pages('/user/all', 25, 380),
    ['/user/search?q=ada', '/user/search?q=player_77', '/user/search?q=zzz'],
    pages('/live/job-ids', 100, jobPages),
    pages('/live/job-ids?order=oldest', 100, jobPages),
    pages('/live/public-job-ids/paginated', 100, Math.min(150, jobPages)),
    ['/live/public-job-ids'],
    [`/live/job/${job}/games`],
    [`/live/job/${job}/user-performance`],
    [`/live/game/${game}`],
    [`/llm/game-log/${game}/batch-order`],
    ['/llm/batches'],
    [`/llm/batch/${batch}`],
    pages(`/llm/batch/${batch}/jobs`, 100, 17),
    [`/llm/batch/${batch}/arena-status`],
    ['/leaderboard/top/100'],
    ['/leaderboard/top/100?tag=2025'],
    ['/leaderboard/top/20?tag=llm-batch'],
    ['/leaderboard/tags'],
    ['/leaderboard/user/Player_42'],
    ['/profile/Player_42'],
    ['/submission/users/with-final'],
    ['/sim/status/all'],
    pages('/admin/audit', 50, 1000),
    pages('/admin/audit?actor=Player_42', 50, 1),
    pages('/admin/audit?action=user.role_changed', 50, 200),
    ['/admin/audit?q=player', '/admin/audit?q=role_changed', '/admin/audit?q=10.0.7'],
  ];
}
