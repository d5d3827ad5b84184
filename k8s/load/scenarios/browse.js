// A visitor: the page, the leaderboard, the list of public matches, a profile.
import { check, sleep } from 'k6';
import http from 'k6/http';
import { me, origin, read } from '../target.js';

export function browse() {
  const page = http.get(`${origin}/`, { headers: { accept: 'text/html' }, tags: { name: 'page' } });
  check(page, { 'page answers 200': ({ status }) => status === 200 });
  read('/leaderboard/top/20?tag=2025', 'leaderboard');
  read('/live/public-job-ids/paginated?page=1&page_size=20', 'public matches');
  read('/app-config.json', 'app config');
  read(`/profile/${me().username}`, 'profile');
  sleep(1);
}
