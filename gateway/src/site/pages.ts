import type { Subject } from './subjects.ts';
import { benchmark } from './words.ts';

/** A page of the web app, with what search engines and link previews show of it. */
interface SitePage {
  /** A segment that begins with a colon is a parameter. */
  readonly path: string;
  readonly title?: string;
  readonly description?: string;
  /**
   * Kind of the subject that the first parameter names; its title and description replace those of the page. Of a page without a parameter
   * the title stays.
   */
  readonly subject?: SubjectKind;
  /** The module of web/ with the page's component. Its files are preloaded. */
  readonly module?: string;
  /** Returns the path of the page that search engines list instead of this one. */
  readonly canonical?: (parameter: string) => string;
  /** The REST contract has a GET call at this path. Clients that accept anything get the call. */
  readonly call?: true;
  /** The page has no bar and no title. */
  readonly bare?: true;
  /** Search engines do not list this page: it is a form, or for signed-in users. */
  readonly hidden?: true;
}

export type SubjectKind = 'home' | 'games' | 'match' | 'replay' | 'player' | 'batch' | 'tournament';
export type SubjectReader = (kind: SubjectKind, id: string) => Promise<Subject | undefined>;

/** All pages of the web app (web/src/app/router.tsx). Every other path has status 404. */
export const sitePages: readonly SitePage[] = [
  {
    path: '/',
    description: `${benchmark} Watch matches live, replay every hand, and upload a bot of your own.`,
    subject: 'home',
  },
  {
    path: '/games',
    module: 'src/features/games/games-page.tsx',
    title: 'Games',
    description: 'All public matches: who played, who won, with graphs and replays of every hand.',
    subject: 'games',
  },
  {
    path: '/games/:id',
    module: 'src/features/games/job-page.tsx',
    title: 'Match',
    description: benchmark,
    subject: 'match',
  },
  {
    path: '/replay/:id',
    module: 'src/features/replay/replay-page.tsx',
    title: 'Replay',
    description: benchmark,
    subject: 'replay',
  },
  {
    path: '/embed/replay/:id',
    bare: true,
    module: 'src/features/replay/embed-page.tsx',
    title: 'Replay',
    description: benchmark,
    subject: 'replay',
    canonical: (id) => `/replay/${id}`,
    hidden: true,
  },
  {
    path: '/ladder',
    module: 'src/features/ladder/ladder-page.tsx',
    title: 'Ladder',
    description: 'Poker bots that meet all day with the same cards, and their ratings with intervals.',
    call: true,
  },
  {
    path: '/tournaments',
    module: 'src/features/tournaments/tournaments-page.tsx',
    title: 'Tournaments',
    description: 'Tournaments of poker bots: frozen entries, stages that play by themselves, champions.',
    call: true,
  },
  {
    path: '/tournaments/:slug',
    module: 'src/features/tournaments/tournament-page.tsx',
    title: 'Tournament',
    description: 'Entrants, stages, standings with intervals, and the champion of a tournament of poker bots.',
    subject: 'tournament',
    call: true,
  },
  {
    path: '/batches/:id',
    module: 'src/features/batch/batch-page.tsx',
    title: 'Batch',
    description: benchmark,
    subject: 'batch',
  },
  {
    path: '/players/:id',
    module: 'src/features/player/player-page.tsx',
    title: 'Player',
    description: benchmark,
    subject: 'player',
  },
  { path: '/profile/:id', title: 'Profile', description: benchmark, subject: 'player', call: true },
  {
    path: '/tv',
    bare: true,
    title: 'TV',
    description: 'The match that is being played now, hand after hand, for a big screen.',
  },
  {
    path: '/upload-replay',
    title: 'Upload a replay',
    description: 'Open the log of a hand from your disk and replay it at the table. The file stays in your browser.',
  },
  {
    path: '/bots',
    module: 'src/features/bot-help/bot-help-page.tsx',
    title: 'How to write a bot',
    description: 'The interface of a poker bot, its limits, and templates to start from.',
  },
  {
    path: '/bots/debug',
    title: 'Debug a bot',
    description: 'From a failed match on the site to the same hand on your own machine, in three commands.',
  },
  {
    path: '/kit',
    title: 'The local kit',
    description:
      'Play the same poker matches on your own machine: one wheel for Python, with dealer, rules and sandbox.',
  },
  {
    path: '/fairness',
    title: 'Fair cards',
    description: 'How the cards of a match are fixed before its first hand, and how to verify them afterwards.',
  },
  {
    path: '/methodology',
    title: 'How the standings are computed',
    description: 'Points with intervals, luck taken out, ties and ratings of poker bots: formulas and figures.',
  },
  {
    path: '/data',
    title: 'Public data',
    description: 'Every public match as files: hands, results and the commitments of the cards.',
  },
  { path: '/about', title: 'About', description: `What Husky Hold'em Bench is and who makes it. ${benchmark}` },
  { path: '/register', title: 'Register', description: `Create an account to upload a poker bot. ${benchmark}` },
  { path: '/login', title: 'Login', description: benchmark },
  { path: '/profile', hidden: true, call: true },
  { path: '/admin/audit', hidden: true, call: true },
  { path: '/trials', hidden: true, call: true },
  { path: '/trials/:id', hidden: true, call: true },
  ...[
    '/verification-success',
    '/verify-account',
    '/forgot-password',
    '/reset-password/:token',
    '/account',
    '/dashboard',
    '/challenge',
    '/submission',
    '/leaderboard',
    '/directory',
    '/games/:id/bots/:username',
    '/admin',
    '/admin/games',
    '/simulation',
    '/llm-batch',
    '/container-manager',
  ].map((path) => ({ path, hidden: true as const })),
];

const patterns = sitePages.map((page) => ({
  page,
  pattern: new RegExp(`^${page.path.replaceAll(/:\w+/g, '([^/]+)')}/?$`),
}));

/** Finds the page at a path, and the decoded value of its first parameter; '' if it has none. */
export function findPage(path: string): { page: SitePage; parameter: string } | undefined {
  for (const { page, pattern } of patterns) {
    const match = pattern.exec(path);
    if (match) return { page, parameter: decoded(match[1] ?? '') };
  }
  return undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
