// The files of uploads, over real connections to a gateway, with doubles of the services.
import { expect, test } from 'vitest';
import { botForm, chunk, filePart, KiB, start } from './body-clients.ts';

test('counts an upload until it has been handled, also when its client has left', async () => {
  const { upload, uploads, release, send, signIn } = await start();
  await signIn('10.0.0.1');
  const content = Buffer.alloc(KiB * KiB, '#');
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

test.each(['/submission/upload', '/sim/async_run'])(
  '%s accepts two files of exactly 1 MiB with every byte, and refuses one byte more',
  async (path) => {
    const { post, uploads, release } = await start();
    release();
    const full = Buffer.from(Array.from({ length: KiB * KiB }, (_, index) => (index * 31) % 251));
    const larger = Buffer.concat([full, Buffer.from('x')]);
    const response = await post('10.0.0.1', path, botForm(full, full));
    expect([response.status, await response.json()]).toMatchObject([200, { status_code: 200 }]);
    expect([uploads[0]?.playerFile.equals(full), uploads[0]?.requirementsFile.equals(full)]).toEqual([true, true]);
    for (const [name, form] of [
      ['player.py', botForm(larger, '')],
      ['requirements.txt', botForm('# bot', larger)],
    ] as const) {
      const refused = await post('10.0.0.1', path, form);
      expect([refused.status, await refused.json()]).toMatchObject([413, { detail: `${name} is larger than 1 MiB` }]);
    }
    expect(uploads).toHaveLength(1);
  },
);

test('answers 202 with the body of a success to an upload whose packages are still being prepared', async () => {
  const { upload, release } = await start();
  release();
  const answers = [];
  for (const requirements of ['slow', 'numpy']) {
    const response = await upload('10.0.0.1', botForm('# bot', requirements));
    answers.push([response.status, await response.json()]);
  }
  const message = 'Submission uploaded. Its packages are still being prepared; you get a notice when they are ready.';
  const same = { submission_id: 'saved', warnings: [], nonce: null, signed_head: null, status_code: 200 };
  expect(answers).toEqual([
    [202, { ...same, state: 'preparing', message }],
    [200, { ...same, state: 'ready', message: 'Submission uploaded' }],
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
  expect(form.text).toMatch(/^HTTP\/1\.1 413 [\s\S]*The upload is larger than 3 MiB/);
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

test('ignores up to eight other fields, and refuses a form with more', async () => {
  const { upload, release } = await start();
  release();
  const form = new FormData();
  for (let number = 1; number <= 8; number++) form.append(`field${number}`, 'more');
  for (const [field, file] of botForm('# bot', '')) form.append(field, file as File);
  expect((await upload('10.0.0.1', form)).status).toBe(200);
  form.append('field9', 'more');
  const response = await upload('10.0.0.1', form);
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { detail: 'The form could not be read: too many fields' },
  ]);
});

test('keeps no file of another field', async () => {
  const { send, upload, release } = await start();
  release();
  const body = `${filePart('other', 'other.py')}${'x'.repeat(900 * KiB)}`;
  const forms = Array.from({ length: 30 }, () =>
    send('10.0.0.1', '/submission/upload', 'multipart/form-data; boundary=b', body),
  );
  const player = Buffer.alloc(KiB * KiB, '#');
  expect((await upload('10.0.0.1', botForm(player, ''))).status).toBe(200);
  for (const { socket, answer } of forms) {
    chunk(socket, '\r\n--b--\r\n');
    socket.write('0\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 422 [\s\S]*must be provided/);
  }
});
