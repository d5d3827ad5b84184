// The test of `helm test`: site, sign-in, pool, and a match from upload to stored hands. Environment: SITE, ADMIN_USERNAME,
// ADMIN_PASSWORD, ADMIN_SECRET (the Secret of this password), MATCH_SECONDS (default 240).
const { SITE, ADMIN_USERNAME: username, ADMIN_PASSWORD: password, ADMIN_SECRET, MATCH_SECONDS = '240' } = process.env;

const bot = `from bot import Bot
from type.poker_action import PokerAction


class SimplePlayer(Bot):
    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        pass

    def on_round_start(self, round_state, remaining_chips):
        pass

    def get_action(self, round_state, remaining_chips):
        return (PokerAction.CALL, 0)

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        pass
`;

/**
 * Sends a request and returns the body. Throws on another status than `expected`. Retries on 503, because right after the
 * install a service may not be reachable yet.
 */
async function call(path, options = {}, expected = 200, attempts = 15) {
  const response = await fetch(SITE + path, { ...options, signal: AbortSignal.timeout(30_000) });
  const text = await response.text();
  if (response.status === expected) return text;
  if (response.status === 503 && attempts > 1) {
    await pause(2000);
    return call(path, options, expected, attempts - 1);
  }
  const method = options.method ?? 'GET';
  throw new Error(`${method} ${path} returned ${response.status} instead of ${expected}: ${text.slice(0, 200)}`);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function check(title, test) {
  const result = await test();
  console.log(`ok: ${title}`);
  return result;
}

/** Calls `read` every second until it returns a value. Throws after MATCH_SECONDS. */
async function poll(subject, read) {
  const deadline = Date.now() + Number(MATCH_SECONDS) * 1000;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`${subject} took longer than ${MATCH_SECONDS} s`);
    await pause(1000);
  }
}

async function playMatch(headers) {
  const form = new FormData();
  form.append('python_file', new Blob([bot], { type: 'text/x-python' }), 'player.py');
  form.append('packages_file', new Blob([''], { type: 'text/plain' }), 'requirements.txt');
  const { job_id: id } = JSON.parse(await call('/sim/async_run', { method: 'POST', headers, body: form }));
  const status = await poll('the match', async () => {
    const current = JSON.parse(await call(`/sim/status/${id}`, { headers }));
    return ['Finished', 'Failed'].includes(current.job_status) ? current : undefined;
  });
  if (status.job_status !== 'Finished') throw new Error(`the match failed: ${status.error}`);
  const total = Object.values(status.result_data).reduce((sum, delta) => sum + delta, 0);
  if (total !== 0) throw new Error(`the results of the match add up to ${total} chips instead of 0`);
  // live-data receives the end of a match as an event, a moment later.
  await poll('the hands of the match', async () => {
    const { games } = JSON.parse(await call(`/live/job/${id}/games`, { headers }));
    return games.length === status.hands_played ? games : undefined;
  });
}

async function signIn() {
  const body = JSON.stringify({ username, password });
  const headers = { 'content-type': 'application/json' };
  try {
    return JSON.parse(await call('/auth/login', { method: 'POST', headers, body }));
  } catch (error) {
    if (!error.message.includes('returned 401')) throw error;
    throw new Error(`The password of the Secret ${ADMIN_SECRET} is refused. If ${username} has changed it on the site, write the new one to the Secret.`);
  }
}

async function run() {
  await check('the site is served', () => call('/', { headers: { accept: 'text/html' } }));
  await check('the OpenAPI description is served', () => call('/openapi.json'));
  await check('the container page is for admins only', () => call('/docker/pool/status', {}, 401));
  const session = await check('the administrator signs in', signIn);
  const headers = { authorization: `Bearer ${session.access_token}` };
  await check('the pool reports its state', () => call('/docker/pool/status', { headers }));
  await check('the leaderboard responds', () => call('/leaderboard/top/5?tag=2025'));
  await check('a match is played, and its hands are stored', () => playMatch(headers));
}

run().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
