import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { submitFinal } from '../../scripts/demo/accounts.ts';
import { Api } from '../../scripts/demo/api.ts';

/** Accounts and matches of a platform, which the scenarios read as JSON. */
export interface LoadAccounts {
  readonly users: readonly { readonly username: string; readonly token: string }[];
  readonly password: string;
  /** A player.py for test runs. */
  readonly bot: string;
  /** Token of an administrator. */
  readonly admin: string;
  /** Matches of six of the users, to be watched by all of them. */
  readonly matches: readonly string[];
}

interface Session {
  readonly access_token: string;
}

const seats = 6;
const bots = ['random-legal', 'calling-station', 'tight-aggressive', 'pot-odds', 'position-aware', 'pressure'];

/**
 * Registers users with new names, verifies them, gives six of them final submissions and starts public matches of these six.
 * Nothing is removed afterwards.
 */
export async function makeAccounts(
  origin: string,
  owner: { readonly username: string; readonly password: string },
  sizes: { readonly users: number; readonly matches: number; readonly hands: number },
): Promise<LoadAccounts> {
  const guest = new Api(origin);
  const { access_token: adminToken } = await guest.post<Session>('/auth/login', owner);
  const admin = guest.as(adminToken);
  const run = randomBytes(4).toString('hex');
  const password = randomBytes(12).toString('base64url');
  const users: { username: string; token: string }[] = [];
  for (let index = 0; index < Math.max(sizes.users, seats); index++) {
    const username = `load-${run}-${index}`;
    const account = { username, password, email: `${username}@load.invalid` };
    const { access_token: token } = await guest.post<Session>('/auth/register', account);
    await admin.post(`/admin/verify-user/${username}`);
    const bot = bots[index];
    if (bot !== undefined) await submitFinal(guest.as(token), bot);
    users.push({ username, token });
  }
  const matches: string[] = [];
  for (let index = 0; index < sizes.matches; index++) {
    const order = { users_list: users.slice(0, seats).map(({ username }) => username), num_rounds: sizes.hands };
    const { job_id } = await admin.post<{ job_id: string }>('/sim/async_run_user', order);
    await admin.post(`/admin/toggle-job-public/${job_id}`);
    matches.push(job_id);
  }
  const bot = readFileSync(join(import.meta.dirname, '../../services/runner/bots/calling-station/player.py'), 'utf8');
  return { users, password, bot, admin: adminToken, matches };
}
