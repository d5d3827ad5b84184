import { expect, inject, test } from 'vitest';
import { open, pageErrors, pathOf, visibleText, visit } from './visitor.ts';

const world = inject('world');
const { match, privateMatch, admin, verified, unverified } = world;
const bot = world.bots[0]?.username ?? '';

type Labels = readonly (string | RegExp)[];
const card = {
  login: ['Welcome Back', 'Username', 'Password', 'Login', 'Register'],
  verify: ['Verify Your Account', 'Resend', 'Logout'],
  denied: ['Access Denied', "You don't have admin privileges to access this page", 'Go Back'],
} as const;

const publicPages: Record<string, Labels> = {
  '/': ["Husky Hold'em Bench", 'LLMs Develop Pokerbots and Compete', 'Model Leaderboard', bot, /Delta Money/i],
  '/verification-success': ['Email Verified', 'Proceed to Login'],
  '/verification-success?error=invalid': ['Link not valid'],
  '/about': ['Tournament', 'OVER', 'Registration', 'OPEN', 'Next event', /wiki/i],
  '/bots': [/SimplePlayer/, 'Install the kit', 'Debug a bot'],
  '/bots/debug': ['Debug a bot', /husky debug player\.py --match/],
  '/kit': [
    'The local kit',
    /pip install http.*\/kit\/husky_holdem-/,
    /Rules version\s+\d+/i,
    /[0-9a-f]{64}/,
    'husky verify match.jsonl',
  ],
  '/fairness': [
    'Check that a match was dealt fairly',
    'Current head of the chain',
    'Worked example',
    /verify_match\.py/,
  ],
  '/ladder': ['Ladder', 'Ratings', 'How it works', 'No rating yet'],
  '/tournaments': ['Tournaments', 'All tournaments', 'No tournament yet'],
  '/methodology': ['How the standings are computed', 'Contents', 'Luck'],
  '/games': [
    'Games',
    'Published 2025 benchmark',
    /Total Games\s+6,336/i,
    /Total Players\s+13/i,
    'Public on this platform',
    /Matches\s+\d+/i,
    /Matches \(24h\)\s+\d+/i,
    /Hands\s+[\d,]+/i,
    /\nPlayers\s+\d+/i,
    'NEWEST FIRST',
    match.jobId,
  ],
  [`/games/${match.jobId}`]: [
    `Game: ${match.jobId}`,
    'Back to games',
    'Job Final Result',
    bot,
    'FULL RANGE',
    'RESET ZOOM',
    'REFRESH',
    'PLAYER LEGEND',
    'FINAL RANKINGS',
    'Interesting Hands',
    'SORT BY UUID',
    'Hand #1',
    'No Batch Info',
    'Get Raw Log',
    'View Hand',
    `GAME_ID: ${match.jobId}`,
    `${match.hands} hands`,
    '6 players',
    'Sample',
  ],
  [`/games/${match.jobId}?gameNumber=7`]: [`Live Gameplay for Game #7: ${match.jobId}`],
  [`/replay/${match.gameIds[0]}`]: [
    'POKER REPLAY',
    'Actions this Hand',
    'Results',
    /Action 1 of \d+/,
    'Previous',
    'Next',
    'Hide Cards',
    'Hide Pots',
    'SB: $5',
    'BB: $10',
    'ROUND POT',
    'TOTAL POT',
    'PLAYER STACKS',
    'POTS & ELIGIBLE PLAYERS',
    'Back',
  ],
  '/data': ['Public Data', 'Public matches', 'Download all of it', '/live/game/{hand}', 'What is not public'],
  [`/embed/replay/${match.gameIds[0]}`]: [/Action 1 of \d+/, 'Play', /Hand #1 on Husky Hold'em Bench/, 'Settings'],
  '/tv': ["Husky Hold'em Bench", /Hand [\d,]+ of/, '3 minutes', 'Newest hand', 'Full screen'],
  '/upload-replay': ['Upload Replay', 'Requirements', 'Choose file', 'Between 2 and 6 players.'],
  [`/profile/${bot}`]: ['Profile Info', 'Performance Stats', 'Recent Scores', '2025'],
  [`/players/${bot}`]: ['Matches won', 'Hands', 'Delta Money', 'Results over time', 'Compare with another player'],
  [`/players/${bot}?view=statistics`]: ['How the bot plays', 'VPIP', `${bot} by position`, 'Decision times'],
  '/batches/987654': ['Batch not found', 'Go to Games'],
  '/forgot-password': [/password/i],
};

const verifiedPages: Record<string, Labels> = {
  '/dashboard': [
    `Welcome, ${verified.username}`,
    'Submission open',
    'TOURNAMENT PROTOCOL',
    'Submit Bot',
    'My Jobs',
    'Refresh Jobs',
  ],
  '/challenge': [
    'Search players',
    'My neighbours on the ladder',
    'Hands of each of the six rotations',
    'Send challenge',
  ],
  '/submission': ['Submission 1', 'Submission 2', 'Final', 'Mark Final', 'Unmark', 'Delete', 'player.py'],
  '/trials': [
    'Is my new version better?',
    'No trial yet',
    'A: the new version',
    'are left to you within 24 hours',
    'Start the trial',
  ],
  '/trials/00000000-0000-8000-8000-000000000000': ['There is no such trial among yours.'],
  '/leaderboard': ['Leaderboard', 'All', '2025', bot],
  '/leaderboard?view=standings': ['Chips per 100 hands', 'Estimator', 'Big blinds', 'Who is better?', bot],
  '/directory': ['User Directory', 'How to use', 'Search users', /1-\d+ of \d+ users/, '@ada-lovelace'],
  '/profile': ['Profile Info', 'Edit', 'Performance Stats', 'Recent Scores', 'No scores yet', `@${verified.username}`],
};

const adminPages: Record<string, Labels> = {
  '/admin': [
    'Admin Dashboard',
    'Total Users',
    'Verified Users',
    'Jobs',
    'Submissions',
    'USER MANAGEMENT MATRIX',
    'GRANT ADMIN',
    'UNVERIFY',
    'VIEW',
    'DELETE',
    'ALL SYSTEM JOBS',
    '2025 Leaderboard',
    /(Add to|Remove from) 2025/,
    'EVENT SETTINGS',
  ],
  '/simulation': [
    'Simulation Control',
    'SIMULATION ROSTER',
    '0/6',
    'CLEAR ALL',
    'SELECT 6 PARTICIPANTS',
    'FINAL SUB',
    'YES',
  ],
  '/llm-batch': ['LLM Batch', 'BATCH ROSTER', /Will generate \d+ combinations|Select at least/i, 'No batch jobs found'],
  '/container-manager': [
    'Container Manager',
    'CURRENT POOL STATUS',
    'Adjust Pool Size',
    'Scale Now',
    'ACTIVE SCALING JOBS',
    'CONTAINER LOG VIEWER',
  ],
  '/admin/audit': ['Audit Log', 'RECORDS', 'Who', 'Action', 'Export CSV', 'Export JSON lines'],
  '/admin/games': [
    'Admin Games',
    'Back to admin dashboard',
    'Upload your own local run',
    'Total Games Loaded',
    'Total Players',
    'Recent Games',
    'NEWEST FIRST',
    'MAKE PRIVATE',
    'MAKE PUBLIC',
    privateMatch.jobId,
    'PRIVATE',
    'PUBLIC',
  ],
};

async function expectLabels(page: Awaited<ReturnType<typeof visit>>, path: string, labels: Labels): Promise<void> {
  const text = async () => {
    const [seen, fields] = await Promise.all([
      visibleText(page.locator('body')),
      page.evaluate(() =>
        [...document.querySelectorAll('[aria-label], [title], option')]
          .map((element) => `${element.getAttribute('aria-label') ?? ''} ${element.textContent}`)
          .join('\n'),
      ),
    ]);
    return `${seen}\n${fields}`.replaceAll(' ', ' ');
  };
  for (const label of labels) {
    await expect
      .poll(text, { timeout: 10_000, message: path })
      .toMatch(typeof label === 'string' ? new RegExp(label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i') : label);
  }
  expect(await page.title(), path).toMatch(/Husky Hold'em Bench$/);
  expect(await page.locator('h1').count(), `one h1 on ${path}`).toBe(1);
  expect(pageErrors, path).toEqual([]);
}

test('anonymous visitors see the public pages with their labels, and are redirected to the login for the others', async () => {
  const page = await visit('/');
  await expectLabels(page, 'navigation', [
    'Home',
    'Games',
    'Login',
    'Register',
    'Source code',
    'Dataset',
    'Cite this work',
  ]);
  for (const [path, labels] of Object.entries(publicPages)) {
    await open(page, path);
    await expectLabels(page, path, labels);
  }
  await open(page, '/register');
  await expectLabels(page, '/register', ['Create Your Account', 'Username', 'Email', 'Password', 'Confirm Password']);
  for (const path of ['/verify-account', '/account', ...Object.keys(verifiedPages), ...Object.keys(adminPages)]) {
    await open(page, path);
    await page.waitForURL('**/login');
    await expectLabels(page, path, card.login);
  }
  await open(page, '/no-such-page');
  await expectLabels(page, '/no-such-page', ['404']);
});

test('unverified users see the public pages, and are redirected to /verify-account for the others', async () => {
  const page = await visit('/', { account: unverified });
  for (const path of [...Object.keys(verifiedPages), ...Object.keys(adminPages), '/login', '/register']) {
    await open(page, path);
    await page.waitForURL('**/verify-account');
    await expectLabels(page, path, card.verify);
  }
  for (const path of ['/games', `/games/${match.jobId}`, '/upload-replay']) {
    await open(page, path);
    expect(pathOf(page)).toBe(path);
  }
});

test('verified users see their pages with their labels, no sign-in pages and no admin pages', async () => {
  const page = await visit('/', { account: verified });
  await expectLabels(page, 'navigation', [
    'Home',
    'Games',
    'Submission',
    'Dashboard',
    'Leaderboard',
    'Hello',
    'Logout',
  ]);
  expect(await page.getByRole('link', { name: 'Admin', exact: true }).count()).toBe(0);
  for (const [path, labels] of Object.entries(verifiedPages)) {
    await open(page, path);
    await expectLabels(page, path, labels);
  }
  for (const path of ['/login', '/register', '/verify-account']) {
    await open(page, path);
    await page.waitForURL('**/dashboard');
  }
  for (const path of Object.keys(adminPages)) {
    await open(page, path);
    await expectLabels(page, path, card.denied);
    expect(pathOf(page)).toBe(path);
  }
  await open(page, '/games');
  await page.getByRole('link', { name: 'Submission', exact: true }).click();
  await page.waitForURL('**/submission');
  await open(page, '/admin');
  await page.getByRole('button', { name: 'Go Back' }).click();
  await page.waitForURL('**/submission');
});

test('admins see the admin pages with their labels', async () => {
  const page = await visit('/', { account: admin });
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await page.waitForURL('**/admin');
  for (const [path, labels] of Object.entries(adminPages)) {
    await open(page, path);
    await expectLabels(page, path, labels);
  }
  await open(page, `/profile/${bot}`);
  await expectLabels(page, 'profile of a user', ['Final submission', `${bot}@test.invalid`]);
  expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
});

test('leaderboards mark the own row with (You), and /profile/<own name> is the editable own profile', async () => {
  const self = world.bots[1];
  const page = await visit('/', self ? { account: self } : {});
  await page.getByText('(You)').waitFor();
  await open(page, '/leaderboard?tag=2025');
  await expect.poll(() => page.getByText('(You)').count()).toBe(1);
  await open(page, `/profile/${self?.username}`);
  await page.getByRole('button', { name: 'Edit' }).waitFor();
});
