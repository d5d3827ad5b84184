import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiResponse, Caller } from './caller.ts';
import { createChaosBot } from './chaos-bot.ts';
import type { History } from './history.ts';
import { type Account, botForm, type World } from './workload.ts';

const players = 7;
const authors = 2;
/** Password of every account of a run. */
const password = 'a password of a chaos run';
const trivial = join(import.meta.dirname, '../../../services/runner/fixtures/bots/trivial/player.py');

interface PlatformAccess {
  readonly origin: string;
  readonly admin: { readonly username: string; readonly password: string };
}

/** Creates the accounts of a run before any fault: players with final submissions, and authors. Throws if a call is refused. */
export async function createWorld({ origin, admin: account }: PlatformAccess, history: History): Promise<World> {
  const anonymous = new Caller(origin, history);
  const bodyOf = (path: string, { status, body }: ApiResponse) => {
    if (status === 0 || status >= 300) throw new Error(`${path} returned ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const post = async (caller: Caller, path: string, body?: object) =>
    bodyOf(path, await caller.send('POST', path, body));
  const { access_token: token } = bodyOf('/auth/login', await anonymous.signIn(account));
  const admin = anonymous.as(token);
  const quotas = { max_test_runs: 100, max_test_runs_a_day: 10_000, max_submissions: 100, max_uploads_a_day: 10_000 };
  await post(admin, '/admin/settings', quotas);

  const register = async (username: string): Promise<Account> => {
    const body = { username, email: `${username}@chaos.invalid`, password };
    const { access_token: own } = await post(anonymous, '/auth/register', body);
    await post(admin, `/admin/verify-user/${username}`);
    return { username, caller: anonymous.as(own) };
  };
  const submit = async (name: string, source: string): Promise<Account> => {
    const player = await register(name);
    const files = botForm(['playerFile', 'requirementsFile'], source);
    const { submission_id } = await post(player.caller, '/submission/upload', files);
    await post(player.caller, '/submission/mark_final', { submission_id });
    return player;
  };
  const bots = Array.from({ length: players }, (_, n) =>
    n === 0 ? readFileSync(trivial, 'utf8') : createChaosBot(`player ${n}`),
  );
  return {
    history,
    admin,
    anonymous,
    adminAccount: account,
    players: await mapInOrder(bots, (source, n) => submit(`player_${n + 1}`, source)),
    authors: await mapInOrder(Array.from({ length: authors }), (_, n) => register(`author_${n + 1}`)),
  };
}

async function mapInOrder<In, Out>(
  values: readonly In[],
  create: (value: In, index: number) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = [];
  for (const [index, value] of values.entries()) results.push(await create(value, index));
  return results;
}
