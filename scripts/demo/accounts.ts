import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Api, Refused } from './api.ts';

const root = resolve(import.meta.dirname, '../..');
const defaultDataDir = resolve(root, process.env.DATA_DIR ?? '.data');

function readOrCreateSecret(name: string, dataDir: string): string {
  const path = join(dataDir, 'secrets', name);
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${randomBytes(12).toString('base64url')}\n`, { mode: 0o600 });
  }
  return readFileSync(path, 'utf8').trimEnd();
}

/** The example bots in services/runner/bots, without the house bot. */
export const exampleBots = [
  'random-legal',
  'calling-station',
  'tight-aggressive',
  'pot-odds',
  'position-aware',
  'pressure',
] as const;

export async function signInAdmin(api: Api, dataDir = defaultDataDir): Promise<Api> {
  const username = process.env.ADMIN_USERNAME ?? 'admin';
  const password = process.env.ADMIN_PASSWORD ?? readOrCreateSecret('admin-password', dataDir);
  return api.signIn({ username, password });
}

/** Registers the user of a bot, or signs in the user of an earlier demo. Verifies the account through `admin`. Idempotent. */
export async function signInPlayer(api: Api, username: string, admin: Api, dataDir = defaultDataDir): Promise<Api> {
  const password = readOrCreateSecret('demo-password', dataDir);
  const account = { username, password, email: `${username}@demo.invalid`, about: 'A house bot.' };
  const player = await api.register(account).catch((error: unknown) => {
    if (error instanceof Refused && error.status === 400) return api.signIn({ username, password });
    throw error;
  });
  const { is_verified } = await player.get<{ is_verified: boolean }>('/auth/whoami');
  if (!is_verified) await admin.post(`/admin/verify-user/${username}`);
  return player;
}

/** Registers a user and verifies the account through `admin`. */
export async function registerVerified(
  admin: Api,
  username: string,
  password = 'a long enough passphrase',
): Promise<Api> {
  const player = await new Api(admin.origin).register({ username, password, email: `${username}@husky.invalid` });
  await admin.post(`/admin/verify-user/${username}`);
  return player;
}

/** Submits an example bot as the player's final one. Does nothing if the player has a final bot. */
export async function submitFinal(player: Api, bot: string): Promise<void> {
  const { files } = await player.get<{ files: { id: string; final: boolean }[] }>('/submission/list');
  if (files.some((file) => file.final)) return;
  const read = (name: string) => readFileSync(join(root, 'services/runner/bots', bot, name), 'utf8');
  await uploadFinal(player, read('player.py'), read('requirements.txt'));
}

/** Uploads a bot, waits for its packages and marks it as the player's final one. */
export async function uploadFinal(player: Api, source: string, requirements = ''): Promise<void> {
  const uploaded = await player.upload<{ submission_id: string; state: string }>('/submission/upload', {
    playerFile: { name: 'player.py', text: source },
    requirementsFile: { name: 'requirements.txt', text: requirements },
  });
  const { submission_id } = uploaded;
  let state: string | undefined = uploaded.state;
  while (state === 'preparing') {
    await pause(1000);
    const { files } = await player.get<{ files: { id: string; state: string }[] }>('/submission/list');
    state = files.find(({ id }) => id === submission_id)?.state;
  }
  await player.post('/submission/mark_final', { submission_id });
}
