import { setTimeout as wait } from 'node:timers/promises';
import { exampleBots, registerVerified, submitFinal } from '../../../demo/accounts.ts';
import { Api } from '../../../demo/api.ts';

/** The accounts and matches that the calls of the bench read. */
export interface World {
  readonly origin: string;
  readonly adminToken: string;
  /** Token of a verified user who plays in the matches. */
  readonly userToken: string;
  readonly players: readonly string[];
  /** A finished public match of 1,000 hands. */
  readonly match: string;
  /** Ids of its hands. */
  readonly games: readonly string[];
}

const hands = 1000;

/** Creates six players with bots and plays `matches` public matches of 1,000 hands, which are published on the 2025 board. */
export async function createWorld(
  origin: string,
  owner: { readonly username: string; readonly password: string },
  matches: number,
): Promise<World> {
  const guest = new Api(origin);
  const admin = await guest.signIn(owner);
  const players = exampleBots.map((_, seat) => `player_${seat + 1}`);
  const tokens: string[] = [];
  for (const [seat, bot] of exampleBots.entries()) {
    const username = players[seat] ?? '';
    const player = await registerVerified(admin, username);
    await submitFinal(player, bot);
    tokens.push(player.token ?? '');
  }
  const ids = await Promise.all(Array.from({ length: matches }, () => playMatch(admin, players)));
  for (const id of ids) {
    await admin.post(`/admin/process-tournament-2025-job/${id}`);
  }
  const [match = ''] = ids;
  const { games } = await guest.get<{ games: { game_id: string }[] }>(`/live/job/${match}/games`);
  const [userToken = ''] = tokens;
  return {
    origin,
    adminToken: admin.token ?? '',
    userToken,
    players,
    match,
    games: games.map(({ game_id }) => game_id),
  };
}

/** Plays a match with reset stacks, so that all hands are played. Returns its id after it has finished. */
async function playMatch(admin: Api, players: readonly string[]): Promise<string> {
  const body = { users_list: players, num_rounds: hands, stacks: 'reset' };
  const { job_id: id } = await admin.post<{ job_id: string }>('/sim/async_run_user', body);
  await admin.post(`/admin/toggle-job-public/${id}`, { is_public: true });
  for (;;) {
    const { job_status: status } = await admin.get<{ job_status: string }>(`/sim/status/${id}`);
    if (status === 'Finished') return id;
    if (status === 'Failed') throw new Error(`match ${id} failed`);
    await wait(500);
  }
}

/** Keeps one public match in play. The returned function stops that and resolves after the last match. */
export async function keepInPlay({ origin, adminToken, players }: World): Promise<() => Promise<void>> {
  let stopping = false;
  const admin = new Api(origin, adminToken);
  const playing = (async () => {
    while (!stopping) await playMatch(admin, players);
  })();
  // The returned function reports the error.
  playing.catch(() => undefined);
  await wait(2000);
  return () => {
    stopping = true;
    return playing;
  };
}
