// A visitor: requests the page (its assets on the first visit only), matches in play, the ranking, a profile, the list of public matches, and
// the hands and a replay of one match.
import { optionsOf } from './options.js';
import { bodyOf, guarded, me, read, send, think } from './target.js';

export { setup } from './accounts.js';
export { handleSummary } from './summary.js';
export const options = optionsOf('browse');

/** Of this virtual user's last visit. */
let etag;

/** Requests the page as a browser does that keeps it and its assets. Returns whether there is a page. */
function openPage() {
  const page = send('GET', '/', '/', { kind: 'page', accept: 'text/html', etag });
  if (page.status === 304) return true;
  if (page.status !== 200) return false;
  if (etag === undefined) {
    for (const [, path] of String(page.body).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
      send('GET', path, '/assets/{file}', { kind: 'page', accept: '*/*' });
    }
  }
  etag = page.headers.Etag;
  return true;
}

export const browse = guarded((accounts) => {
  if (!openPage()) return;
  read('/app-config.json', '/app-config.json');
  read('/live/now', '/live/now');
  // The board that the platform shows on its home page.
  read('/leaderboard/board?page=1&page_size=20', '/leaderboard/board');
  think();
  read(`/profile/${me(accounts).username}`, '/profile/{username}');
  const matches = bodyOf(read('/live/public-job-ids/paginated?page=1&page_size=20', '/live/public-job-ids/paginated'));
  const match = matches?.job_ids?.[0] ?? matches?.jobs?.[0];
  const id = typeof match === 'string' ? match : match?.job_id;
  if (id === undefined) return;
  think();
  const hands = bodyOf(read(`/live/job/${id}/hands?page=1&page_size=50`, '/live/job/{id}/hands'));
  const [hand] = hands?.hands ?? [];
  if (hand === undefined) return;
  think();
  read(`/live/game/${hand.game_id}`, '/live/game/{id}');
});
