import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleBots, registerVerified, submitFinal } from '../../scripts/demo/accounts.ts';
import { Api } from '../../scripts/demo/api.ts';

/** Accounts of a platform. The scenarios read them as JSON. */
export interface LoadAccounts {
  readonly users: readonly { readonly username: string; readonly token: string; readonly final: boolean }[];
  readonly password: string;
  /** A player.py for test runs. */
  readonly bot: string;
  /** Token of an administrator. */
  readonly admin: string;
}

const bots = [...exampleBots, 'random-legal', 'calling-station'];

/** Registers and verifies users with new names, and uploads final submissions for eight of them. They are not deleted afterwards. */
export async function createAccounts(
  origin: string,
  owner: { readonly username: string; readonly password: string },
  count: number,
): Promise<LoadAccounts> {
  const admin = await new Api(origin).signIn(owner);
  const run = randomBytes(4).toString('hex');
  const password = randomBytes(12).toString('base64url');
  const users: { username: string; token: string; final: boolean }[] = [];
  for (let index = 0; index < Math.max(count, bots.length); index++) {
    const username = `load-${run}-${index}`;
    const user = await registerVerified(admin, username, password);
    const bot = bots[index];
    if (bot !== undefined) await submitFinal(user, bot);
    users.push({ username, token: user.token ?? '', final: bot !== undefined });
  }
  const bot = readFileSync(join(import.meta.dirname, '../../services/runner/bots/calling-station/player.py'), 'utf8');
  return { users, password, bot, admin: admin.token ?? '' };
}
