// k6's setup: finds the platform at ORIGIN and returns the accounts that the scenarios need, `{ users, admin }`. Those of ACCOUNTS, or new ones that
// an administrator (ADMIN_USERNAME, ADMIN_PASSWORD) verifies. They are not deleted. A problem ends the run with one sentence.
import { sleep } from 'k6';
import { randomBytes } from 'k6/crypto';
import { b64encode } from 'k6/encoding';
import exec from 'k6/execution';
import http from 'k6/http';
import { bots } from './bots.js';
import { needsOf } from './options.js';
import { origin } from './target.js';

const { ADMIN_USERNAME = 'admin', ADMIN_PASSWORD = '' } = __ENV;
const accountsText = __ENV.ACCOUNTS ? readFile(__ENV.ACCOUNTS) : undefined;
const maxRetries = 30;

function readFile(path) {
  try {
    return open(path);
  } catch {
    // parseAccounts then says what ACCOUNTS must be.
    return '';
  }
}

// exec.test.abort throws, so nothing after it runs.
const giveUp = (sentence) => exec.test.abort(sentence);
const random = (bytes) => b64encode(randomBytes(bytes), 'rawurl').replaceAll(/[^A-Za-z0-9]/g, 'x');

/** Sends a request. Repeats a refusal after its Retry-After. */
function call(method, path, { token, json, form } = {}) {
  const headers = { accept: 'application/json' };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (json !== undefined) headers['content-type'] = 'application/json';
  for (let retries = 0; ; retries++) {
    const response = http.request(method, `${origin}${path}`, form ?? (json === undefined ? null : JSON.stringify(json)), {
      headers,
      timeout: '60s',
      responseCallback: null,
    });
    const waitS = Number(response.headers['Retry-After']);
    if (![429, 503].includes(response.status) || !(waitS > 0) || retries === maxRetries) return response;
    sleep(waitS);
  }
}

/** Returns the body of a successful response. */
function expectOk(what, response) {
  if (response.status >= 200 && response.status < 300) return response.json();
  return giveUp(`${what}: ${detailOf(response)}`);
}

function detailOf({ status, error, body }) {
  if (status === 0) return error;
  try {
    return JSON.parse(body).detail ?? `status ${status}`;
  } catch {
    return `status ${status}`;
  }
}

function findPlatform() {
  if (origin === '') giveUp('Set ORIGIN to the address of the platform, as in ORIGIN=https://holdem.example.org k6 run browse.js');
  if (!/^https?:\/\/[^/?#@\s]+$/i.test(origin)) giveUp('ORIGIN must be a scheme and a host, as in https://holdem.example.org');
  let response;
  try {
    response = http.get(`${origin}/app-config.json`, { timeout: '15s', throw: true, responseCallback: null });
  } catch (error) {
    giveUp(`Nothing answers at ${origin}: ${error.message ?? error}`);
  }
  if (!String(response.body).includes('"identity"')) giveUp(`${origin} is no Husky Hold'em platform: /app-config.json returns status ${response.status}`);
}

/** Parses ACCOUNTS: `[{ username, password, token? }]`, or `{ users, password, admin }` with one password for all and an administrator's token. */
function parseAccounts(text) {
  const invalid = 'ACCOUNTS must be a file with a JSON list of accounts: [{"username": "...", "password": "..."}]';
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    giveUp(invalid);
  }
  const list = (Array.isArray(value) ? value : value?.users)?.map?.((one) => ({ ...one, password: one?.password ?? value.password }));
  if (!list?.length || list.some(({ username, password }) => !username || !password)) giveUp(invalid);
  return { list, admin: value.admin };
}

function signIn({ username, password }) {
  const what = `${username} cannot sign in at ${origin}`;
  return expectOk(what, call('POST', '/auth/login', { json: { username, password } })).access_token;
}

function isValid(token) {
  return token !== undefined && call('GET', '/auth/whoami', { token }).status === 200;
}

function signInAdmin() {
  const token = signIn({ username: ADMIN_USERNAME, password: ADMIN_PASSWORD });
  const { admin } = expectOk('The administrator cannot be read', call('GET', '/auth/whoami', { token }));
  return admin ? token : giveUp(`${ADMIN_USERNAME} is no administrator of ${origin}`);
}

/** Registers and verifies an account. Returns its token. */
function register({ username, password }, admin) {
  const json = { username, password, email: `${username}@husky.invalid` };
  const what = `${username} cannot be registered at ${origin}`;
  const { access_token } = expectOk(what, call('POST', '/auth/register', { json }));
  expectOk(`${username} cannot be verified`, call('POST', `/admin/verify-user/${username}`, { token: admin }));
  return access_token;
}

/** Returns the token of a given account. With an administrator, one that does not exist is registered. */
function openAccount(account, admin) {
  const { status } = admin === undefined ? {} : call('GET', `/profile/${account.username}`);
  return status === 404 ? register(account, admin) : signIn(account);
}

/** Returns whether a user has a final bot. */
function hasFinal({ token }) {
  const { files } = expectOk('Submissions cannot be listed', call('GET', '/submission/list', { token }));
  return files.some(({ final }) => final);
}

function submitFinal({ username, token }, bot) {
  const form = { playerFile: http.file(bot, 'player.py'), requirementsFile: http.file('', 'requirements.txt') };
  const { submission_id } = expectOk(`${username} cannot upload a bot`, call('POST', '/submission/upload', { token, form }));
  expectOk(`${username} cannot mark a bot as final`, call('POST', '/submission/mark_final', { token, json: { submission_id } }));
}

export function setup() {
  const names = Object.keys(exec.test.options.scenarios);
  const needs = needsOf(names);
  findPlatform();
  const given = accountsText === undefined ? undefined : parseAccounts(accountsText);
  const isAdminGiven = isValid(given?.admin);
  const needsPassword = (needs.admin && !isAdminGiven) || (needs.users > 0 && given === undefined);
  if (needsPassword && ADMIN_PASSWORD === '') {
    giveUp(`${names.join(', ')} needs accounts: set ADMIN_PASSWORD (and ADMIN_USERNAME, if not admin), with which the script makes them, or ACCOUNTS`);
  }
  if (needs.users === 0) return { users: given?.list ?? [], admin: needsPassword ? signInAdmin() : given?.admin };

  const admin = isAdminGiven ? given.admin : ADMIN_PASSWORD === '' ? undefined : signInAdmin();
  const run = random(6).toLowerCase();
  const count = Math.max(Number(__ENV.USERS || needs.users), needs.finals);
  const list = given?.list ?? Array.from({ length: count }, (_, at) => ({ username: `load-${run}-${at}`, password: random(18) }));
  const isCurrent = isValid(list[0].token);
  let users = list.map((user) => (isCurrent && user.token ? user : { ...user, token: openAccount(user, admin) }));
  if (needs.finals > 0) {
    // Those with a final bot come first, because the scenarios use the first accounts.
    users = users.map((user) => ({ ...user, final: given !== undefined && (user.final ?? hasFinal(user)) }));
    users.sort((a, b) => Number(b.final) - Number(a.final));
    if (users.length < needs.finals) giveUp(`ACCOUNTS has ${users.length} accounts; ${names.join(', ')} needs ${needs.finals}`);
    for (const [at, user] of users.slice(0, needs.finals).entries()) {
      if (!user.final) submitFinal(user, bots[at % bots.length]);
      user.final = true;
    }
  }
  return { users, admin };
}
