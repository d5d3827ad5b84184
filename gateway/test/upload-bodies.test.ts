// The files of uploads, over real connections to a gateway, with doubles of the services.
import { expect, test } from 'vitest';
import { botForm, chunk, filePart, KiB, start } from './body-clients.ts';

test('counts an upload until it has been handled, also when its client has left', async () => {
  const { upload, uploads, release, send } = await start();
  const content = Buffer.alloc(KiB * KiB - 1, '#');
  // Two files of 1 MiB, less the 4 KiB that are not counted.
  const fitting = 8;
  const parts = [
    filePart('playerFile', 'player.py'),
    content,
    `\r\n${filePart('requirementsFile', 'requirements.txt')}`,
  ];
  const body = Buffer.concat([...parts, content, '\r\n--b--\r\n'].map((part) => Buffer.from(part)));
  const clients = Array.from({ length: fitting }, () => {
    const client = send('10.0.0.1', '/submission/upload', 'multipart/form-data; boundary=b', body);
    client.socket.write('0\r\n\r\n');
    return client;
  });
  await expect.poll(() => uploads.length).toBe(fitting);
  for (const { socket } of clients) socket.destroy();
  expect((await upload('10.0.0.1', botForm(content, ''))).status).toBe(503);
  release();
  await expect.poll(async () => (await upload('10.0.0.1', botForm(content, ''))).status).toBe(200);
});

test('accepts an upload of two files with every byte', async () => {
  const { upload, uploads, release } = await start();
  release();
  const player = Buffer.from(Array.from({ length: 900 * KiB }, (_, index) => (index * 31) % 251));
  const response = await upload('10.0.0.1', botForm(player, 'numpy\n'));
  expect([response.status, await response.json()]).toMatchObject([200, { submission_id: 'saved' }]);
  expect(uploads[0]?.playerFile.equals(player)).toBe(true);
  expect(uploads[0]?.requirementsFile.toString()).toBe('numpy\n');
});

test('answers 202 with the body of a success to an upload whose packages are still being prepared', async () => {
  const { upload, release } = await start();
  release();
  const answers = [];
  for (const requirements of ['slow', 'numpy']) {
    const response = await upload('10.0.0.1', botForm('# bot', requirements));
    answers.push([response.status, await response.json()]);
  }
  const message = 'Submission uploaded. Its packages are still being prepared; you get a notice when they are ready.';
  expect(answers).toEqual([
    [202, { submission_id: 'saved', state: 'preparing', message, status_code: 200 }],
    [200, { submission_id: 'saved', state: 'ready', message: 'Submission uploaded', status_code: 200 }],
  ]);
});

test('refuses a chunked form that grows beyond 3 MiB, and closes its connection', async () => {
  const { send, uploads } = await start();
  const field = '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\n';
  const form = send('10.0.0.1', '/submission/upload', 'multipart/form-data; boundary=b', field);
  const more = Buffer.alloc(64 * KiB, 'x');
  const sending = setInterval(() => {
    if (form.socket.writable) chunk(form.socket, more);
  }, 1);
  await form.closed;
  clearInterval(sending);
  expect(form.text).toMatch(/^HTTP\/1\.1 413 [\s\S]*The upload is larger than 1 MiB/);
  expect(uploads).toEqual([]);
});

test('ignores up to six other files, and refuses a form with more', async () => {
  const { upload, release } = await start();
  release();
  const form = botForm('# bot', '');
  for (let number = 1; number <= 6; number++) form.append(`other${number}`, new Blob(['more']), 'more.py');
  expect((await upload('10.0.0.1', form)).status).toBe(200);
  form.append('other7', new Blob(['more']), 'more.py');
  const response = await upload('10.0.0.1', form);
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { detail: 'The form could not be read: too many files' },
  ]);
});

test('keeps no file of another field', async () => {
  const { send, upload, release } = await start();
  release();
  const body = `${filePart('other', 'other.py')}${'x'.repeat(900 * KiB)}`;
  const forms = Array.from({ length: 30 }, () =>
    send('10.0.0.1', '/submission/upload', 'multipart/form-data; boundary=b', body),
  );
  const player = Buffer.alloc(KiB * KiB - 1, '#');
  expect((await upload('10.0.0.1', botForm(player, ''))).status).toBe(200);
  for (const { socket, answer } of forms) {
    chunk(socket, '\r\n--b--\r\n');
    socket.write('0\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 422 [\s\S]*must be provided/);
  }
});
