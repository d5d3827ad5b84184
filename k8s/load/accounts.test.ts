import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LoadAccounts, parseAccounts, renewAccounts, signInAccounts } from './accounts.ts';

const owner = { username: 'admin', password: 'right' };
let signIns: string[] = [];

// Answers as the platform: tokens `valid-…` are accepted, and the password is `right`. `bob` has a final submission.
const server = createServer((request, response) => {
  const answer = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  if (request.url === '/auth/login') {
    let text = '';
    request.on('data', (bytes: Buffer) => {
      text += bytes.toString();
    });
    request.on('end', () => {
      const { username, password } = JSON.parse(text) as typeof owner;
      signIns.push(username);
      if (password !== 'right') answer(401, { detail: 'Incorrect username or password' });
      else answer(200, { access_token: `valid-${username}` });
    });
  } else if (!token.startsWith('valid-')) answer(401, { detail: 'Not signed in' });
  else if (request.url === '/submission/list') answer(200, { files: [{ final: token === 'valid-bob' }] });
  else answer(200, { username: token.slice('valid-'.length) });
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const accounts = (token: string, password = 'right'): LoadAccounts => ({
  users: ['ada', 'bob'].map((username) => ({ username, token: `${token}-${username}`, final: true })),
  password,
  bot: 'bot',
  admin: `${token}-admin`,
});

test('keeps valid tokens, and signs in again with expired ones', async () => {
  signIns = [];
  expect(await renewAccounts(origin, accounts('valid'), { ...owner, password: '' })).toEqual(accounts('valid'));
  expect(signIns).toEqual([]);
  expect(await renewAccounts(origin, accounts('expired'), owner)).toEqual(accounts('valid'));
  expect(signIns).toEqual(['admin', 'ada', 'bob']);
});

test('says that the accounts may be of another platform', async () => {
  await expect(renewAccounts(origin, accounts('expired', 'wrong'), owner)).rejects.toThrow(
    `ada cannot sign in at ${origin} (Incorrect username or password): the accounts may be of another platform, or the password wrong`,
  );
});

test('asks for the password of the administrator if the token has expired', async () => {
  await expect(renewAccounts(origin, accounts('expired'), { ...owner, password: '' })).rejects.toThrow(
    'set ADMIN_PASSWORD',
  );
});

test('signs in a list of usernames and passwords, those with a final submission first', async () => {
  const list = ['ada', 'bob'].map((username) => ({ username, password: 'right' }));
  const { users, admin } = await signInAccounts(origin, list, owner);
  expect(admin).toBe('valid-admin');
  expect(users).toEqual([
    { username: 'bob', token: 'valid-bob', final: true, password: 'right' },
    { username: 'ada', token: 'valid-ada', final: false, password: 'right' },
  ]);
});

test('reads both kinds of files and refuses others', () => {
  expect(parseAccounts('[{"username":"ada","password":"p"}]')).toEqual([{ username: 'ada', password: 'p' }]);
  expect(parseAccounts(JSON.stringify(accounts('valid')))).toEqual(accounts('valid'));
  for (const text of ['', '[]', 'null', '{}', '[{"username":"ada"}]', '[null]']) {
    expect(() => parseAccounts(text), text).toThrow('ACCOUNTS must be a file that make load wrote');
  }
});
