import type { World } from './world.ts';

/** A request of the bench. */
export interface Call {
  readonly path: string;
  readonly token?: string;
  readonly accept?: string;
}

/** Returns the public reads of the site's pages by name. */
export function publicReads({ match, games, players }: World): Readonly<Record<string, Call>> {
  return {
    'leaderboard, 20 entries': { path: '/leaderboard/top/20' },
    'list of public matches': { path: '/live/public-job-ids/paginated?page=1&page_size=20' },
    'page of 50 hands': { path: `/live/job/${match}/hands?page=1&page_size=50` },
    profile: { path: `/profile/${players[0]}` },
    'one hand': { path: `/live/game/${games[499]}` },
    'series of 1,000 hands': { path: `/live/job/${match}/user-performance` },
    'list of 1,000 hands': { path: `/live/job/${match}/games` },
  };
}

/** Returns the reads of signed-in users and administrators by name. */
export function signedInReads({ userToken, adminToken }: World): Readonly<Record<string, Call>> {
  return {
    "a user's jobs": { path: '/sim/status/all', token: userToken },
    'the caller': { path: '/auth/whoami', token: userToken },
    'directory of users': { path: '/user/all', token: userToken },
    "admin's list of jobs": { path: '/admin/jobs?page=1&page_size=50', token: adminToken },
    "admin's list of matches": { path: '/live/job-ids?page=1&page_size=100', token: adminToken },
    'audit log': { path: '/admin/audit?page=1', token: adminToken },
    'state of the pool': { path: '/docker/pool/status', token: adminToken },
  };
}

/** Returns the calls that each page makes when a visitor opens it. */
export function pageViews({ match, games, players }: World): Readonly<Record<string, readonly Call[]>> {
  const page = (path: string): Call => ({ path, accept: 'text/html' });
  const settings = { path: '/app-config.json' };
  return {
    home: [
      page('/'),
      settings,
      { path: '/live/now' },
      { path: '/leaderboard/board?page=1&page_size=10' },
      { path: '/live/hand-of-the-day' },
    ],
    games: [page('/games'), settings, { path: '/live/public-job-ids/paginated?page=1&page_size=20' }],
    match: [
      page(`/games/${match}`),
      settings,
      { path: `/sim/status/${match}` },
      { path: `/live/job/${match}/hands?page=1&page_size=50` },
      { path: `/live/job/${match}/user-performance` },
      { path: `/live/job/${match}/highlights` },
    ],
    replay: [page(`/replay/${games[499]}`), settings, { path: `/live/game/${games[499]}` }],
    player: [
      page(`/players/${players[0]}`),
      settings,
      { path: `/players/${players[0]}` },
      { path: `/live/players/${players[0]}/matches?page=1` },
      { path: `/live/players/${players[0]}/statistics` },
    ],
  };
}
