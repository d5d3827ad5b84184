import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleBots, registerVerified, submitFinal } from '../../scripts/demo/accounts.ts';
import { Api, Refused } from '../../scripts/demo/api.ts';

interface LoadUser {
  readonly username: string;
  readonly token: string;
  /** Whether the user has a final submission. */
  readonly final: boolean;
  readonly password?: string;
}

/** Accounts of a platform. The scenarios read them as JSON. */
export interface LoadAccounts {
  readonly users: readonly LoadUser[];
  /** Password of the users without one of their own. */
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
  return { users, password, bot: readBot(), admin: admin.token ?? '' };
}

const readBot = () =>
  readFileSync(join(import.meta.dirname, '../../services/runner/bots/calling-station/player.py'), 'utf8');

type Credentials = { readonly username: string; readonly password: string };

/** Signs in. Throws an error that names the account and the platform if they are refused. */
async function signIn(origin: string, account: Credentials): Promise<Api> {
  try {
    return await new Api(origin).signIn(account);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Error(
      `${account.username} cannot sign in at ${origin} (${error.message}): the accounts may be of another platform, or the password wrong`,
    );
  }
}

/** Returns whether a token is valid. */
async function isSignedIn(origin: string, token: string): Promise<boolean> {
  try {
    await new Api(origin, token).get('/auth/whoami');
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return false;
    throw error;
  }
}

async function renewAdmin(origin: string, token: string, owner: Credentials): Promise<string> {
  if (await isSignedIn(origin, token)) return token;
  if (owner.password === '')
    throw new Error(`The administrator's token in ACCOUNTS is not valid at ${origin}: set ADMIN_PASSWORD`);
  return (await signIn(origin, owner)).token ?? '';
}

/** Returns the accounts with valid tokens: signs in again if those of the administrator or of the first user have expired. */
export async function renewAccounts(origin: string, accounts: LoadAccounts, owner: Credentials): Promise<LoadAccounts> {
  const admin = await renewAdmin(origin, accounts.admin, owner);
  const [first] = accounts.users;
  if (first === undefined) throw new Error('ACCOUNTS has no users');
  if (await isSignedIn(origin, first.token)) return { ...accounts, admin };
  const users: LoadUser[] = [];
  for (const user of accounts.users) {
    const { token = '' } = await signIn(origin, {
      username: user.username,
      password: user.password ?? accounts.password,
    });
    users.push({ ...user, token });
  }
  return { ...accounts, users, admin };
}

/** Signs in existing accounts. Users with a final submission come first, because the first six play the scenario `match`. */
export async function signInAccounts(
  origin: string,
  list: readonly Credentials[],
  owner: Credentials,
): Promise<LoadAccounts> {
  const { token: admin = '' } = await signIn(origin, owner);
  const users: LoadUser[] = [];
  for (const { username, password } of list) {
    const user = await signIn(origin, { username, password });
    const { files } = await user.get<{ files: { final: boolean }[] }>('/submission/list');
    users.push({ username, token: user.token ?? '', final: files.some(({ final }) => final), password });
  }
  users.sort((a, b) => Number(b.final) - Number(a.final));
  return { users, password: '', bot: readBot(), admin };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Parses a file of accounts: one that `make load` wrote, or a list of usernames and passwords. Throws an error that says what it must be. */
export function parseAccounts(text: string): LoadAccounts | readonly Credentials[] {
  const invalid = 'ACCOUNTS must be a file that make load wrote, or a JSON list [{"username": …, "password": …}]';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(invalid);
  }
  if (Array.isArray(value)) {
    const list = value as (Partial<Credentials> | null)[];
    if (list.length > 0 && list.every((one) => isText(one?.username) && isText(one.password)))
      return list as Credentials[];
    throw new Error(invalid);
  }
  const accounts = value as Partial<LoadAccounts> | null;
  if (!Array.isArray(accounts?.users) || !isText(accounts.admin) || !isText(accounts.bot)) throw new Error(invalid);
  return value as LoadAccounts;
}
