// Seed data for the browser tests and the screenshots.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Api, Refused } from '../../scripts/demo/api.ts';

export interface Account {
  readonly username: string;
  readonly password: string;
  readonly token: string;
}

/** Seeded accounts and matches. `match` is finished and published; only its players and admins can open `privateMatch`. */
export interface World {
  readonly origin: string;
  readonly admin: Account;
  readonly verified: Account;
  readonly unverified: Account;
  readonly bots: readonly Account[];
  readonly match: { readonly jobId: string; readonly hands: number; readonly gameIds: readonly string[] };
  readonly privateMatch: { readonly jobId: string; readonly gameId: string };
}

/** A hostile name: markup, right-to-left letters, 80 characters (the server's limit). */
export const hostileName = `<img src=x onerror="document.title='owned'">אבג ${'W'.repeat(80)}`.slice(0, 80);
/** An about text of 300 characters without a line break opportunity. */
export const longAbout = `<script>alert(1)</script>${'x'.repeat(275)}`;

export const password = 'a long enough passphrase';
/** Users and the house bots that they upload; the names of the bots are reserved. */
const players = {
  'deep-stack': 'tight-aggressive',
  'river-rat': 'calling-station',
  'pot-counter': 'pot-odds',
  'button-thief': 'position-aware',
  'coin-flipper': 'random-legal',
  patient: 'patient',
} as const;
/** Prints and folds to every bet, so that no player wins all chips before the last hand. */
const patientBot = `from bot import Bot
from type.poker_action import PokerAction


class SimplePlayer(Bot):
    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        pass

    def on_round_start(self, round_state, remaining_chips):
        pass

    def get_action(self, round_state, remaining_chips):
        mine = round_state.player_bets.get(str(self.id), 0)
        print("to call:", round_state.current_bet - mine)
        return (PokerAction.CHECK, 0) if round_state.current_bet <= mine else (PokerAction.FOLD, 0)

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        pass
`;
/** The patient bot with a delay before each action, for tests of running matches. */
const slowBot = `import time

${patientBot.replace('        mine =', '        time.sleep(0.015)\n        mine =')}`;
const handsOfMatch = 1000;
const matchTimeoutMs = 240_000;

const root = join(import.meta.dirname, '../..');

/** Returns the text of a file of a house bot or of the bots above. */
export function botFile(bot: string, file: 'player.py' | 'requirements.txt', folder = 'bots'): string {
  if (bot === 'patient') return file === 'player.py' ? patientBot : '';
  if (bot === 'slow') return file === 'player.py' ? slowBot : '';
  return readFileSync(join(root, 'services/runner', folder, bot, file), 'utf8');
}

export async function registerAccount(api: Api, username: string, extra: object = {}): Promise<Account> {
  const body = { username, password, email: `${username}@test.invalid`, ...extra };
  const { token = '' } = await api.register(body).catch((error: unknown) => {
    // The platform was seeded before.
    if (error instanceof Refused && /taken|use/.test(error.message)) return api.signIn({ username, password });
    throw error;
  });
  return { username, password, token };
}

export async function registerVerified(api: Api, admin: Account, username: string, extra: object = {}) {
  const account = await registerAccount(api, username, extra);
  const { is_verified } = await api.as(account.token).get<{ is_verified: boolean }>('/auth/whoami');
  if (!is_verified) await api.as(admin.token).post(`/admin/verify-user/${username}`);
  return account;
}

/** Uploads a bot and marks it as final if `final` is true. */
export async function submit(api: Api, account: Account, bot: string, final: boolean): Promise<void> {
  const player = api.as(account.token);
  const { submission_id } = await player.upload<{ submission_id: string }>('/submission/upload', {
    playerFile: { name: 'player.py', text: botFile(bot, 'player.py') },
    requirementsFile: { name: 'requirements.txt', text: botFile(bot, 'requirements.txt') },
  });
  if (final) await player.post('/submission/mark_final', { submission_id });
}

export async function startMatch(api: Api, admin: Account, seats: readonly Account[], hands: number) {
  const users_list = seats.map((player) => player.username);
  const { job_id } = await api
    .as(admin.token)
    .post<{ job_id: string }>('/sim/async_run_user', { users_list, num_rounds: hands });
  return job_id;
}

/** Waits for the end of a match and returns its games in the order of the hands. Throws if it failed or takes over 240 s. */
export async function endOfMatch(api: Api, admin: Account, jobId: string) {
  const caller = api.as(admin.token);
  const until = Date.now() + matchTimeoutMs;
  for (;;) {
    const status = await caller.get<{ job_status: string; error?: string }>(`/sim/status/${jobId}`);
    if (status.job_status === 'Finished') break;
    if (status.job_status === 'Failed') throw new Error(`match ${jobId} failed: ${status.error}`);
    if (Date.now() > until) throw new Error(`match ${jobId} has not ended`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return (await caller.get<{ games: { game_id: string; game_uuid: string }[] }>(`/live/job/${jobId}/games`)).games;
}

/** Seeds users, submissions, one published match of 1,000 hands on the 2025 board and a private one. */
export async function buildWorld(origin: string, adminPassword: string): Promise<World> {
  const api = new Api(origin);
  const { token = '' } = await api.signIn({ username: 'admin', password: adminPassword });
  const admin: Account = { username: 'admin', password: adminPassword, token };
  const bots: Account[] = [];
  for (const [username, bot] of Object.entries(players)) {
    const account = await registerVerified(api, admin, username, { about: `Plays the house bot '${bot}'.` });
    await submit(api, account, bot, true);
    bots.push(account);
  }
  const jobId = await startMatch(api, admin, bots, handsOfMatch);
  const privateId = await startMatch(api, admin, bots, 6);

  const unverified = await registerAccount(api, 'unverified-user');
  const verified = await registerVerified(api, admin, 'ada-lovelace', {
    name: 'Ada Lovelace',
    github: 'ada',
    discord_username: 'ada.l',
    about: 'Writes bots that count.',
  });
  await submit(api, verified, 'calling-station', false);
  await submit(api, verified, 'pot-odds', true);
  await registerVerified(api, admin, 'hostile', { name: hostileName, about: longAbout, github: 'javascript:alert(1)' });

  const games = await endOfMatch(api, admin, jobId);
  const privateGames = await endOfMatch(api, admin, privateId);
  await api.as(admin.token).post(`/admin/toggle-job-public/${jobId}`);
  await api.as(admin.token).post(`/admin/process-tournament-2025-job/${jobId}`);
  return {
    origin,
    admin,
    verified,
    unverified,
    bots,
    match: { jobId, hands: games.length, gameIds: games.map((game) => game.game_id) },
    privateMatch: { jobId: privateId, gameId: privateGames[0]?.game_id ?? '' },
  };
}

export const failingLine = 'raise KeyError(3)  # née ♠';

/** Returns the calling station with a line that raises an exception in each decision, and the number of that line. */
export function failingBot(): { text: string; line: number } {
  const text = botFile('calling-station', 'player.py').replace(
    /( +)def get_action\([^\n]*\n/,
    (line, indent: string) => `${line}${indent}    ${failingLine}\n`,
  );
  return { text, line: text.split('\n').findIndex((line) => line.includes(failingLine)) + 1 };
}

/** Returns the files of the failing bot for a file field. */
export const failingFiles = () =>
  [
    { name: 'player.py', text: failingBot().text },
    { name: 'requirements.txt', text: '' },
  ].map(({ name, text }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) }));
