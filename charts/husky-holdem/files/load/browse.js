// A visitor: requests the page, matches in play, the leaderboard, a profile, the list of public matches, the hands of one match.
import { optionsOf } from './options.js';
import { bodyOf, me, read, send } from './target.js';

export { setup } from './accounts.js';
export { handleSummary } from './summary.js';
export const options = optionsOf('browse');

export function browse(accounts) {
  const page = send('GET', '/', '/', { kind: 'page', accept: 'text/html' });
  if (page.status !== 200) return;
  read('/app-config.json', '/app-config.json');
  read('/live/now', '/live/now');
  read('/leaderboard/top/20?tag=2025', '/leaderboard/top/{number}');
  read(`/profile/${me(accounts).username}`, '/profile/{username}');
  const matches = bodyOf(read('/live/public-job-ids/paginated?page=1&page_size=20', '/live/public-job-ids/paginated'));
  const match = matches?.job_ids?.[0] ?? matches?.jobs?.[0];
  const id = typeof match === 'string' ? match : match?.job_id;
  if (id !== undefined) read(`/live/job/${id}/hands?page=1&page_size=50`, '/live/job/{id}/hands');
}
