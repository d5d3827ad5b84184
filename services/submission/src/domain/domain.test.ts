import { describe, expect, test } from 'vitest';
import { maxFileBytes, readBotFiles } from './bot-files.ts';
import { fileLinkSeconds, openFileLink, signFileLink } from './file-link.ts';
import { interrupted, resolverRefusal, timedOut } from './index-errors.ts';
import { refuseOtherHashes, resolvedList } from './lock.ts';

describe('bot files', () => {
  const files = (player: string, requirements = '') => readBotFiles(Buffer.from(player), Buffer.from(requirements));

  test("the bot's hash covers both files", () => {
    expect(files('a', 'b').botHash).toBe(files('a', 'b').botHash);
    expect(files('a', 'b').botHash).not.toBe(files('a', 'c').botHash);
    expect(files('ab').botHash).not.toBe(files('a', 'b').botHash);
    expect(files('a').botHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('accepts files of exactly 1 MiB and refuses one byte more', () => {
    expect(files('a'.repeat(maxFileBytes), '#'.repeat(maxFileBytes)).player).toHaveLength(maxFileBytes);
    expect(() => files('a'.repeat(maxFileBytes + 1))).toThrow('player.py is larger than 1 MiB.');
    expect(() => files('a', '#'.repeat(maxFileBytes + 1))).toThrow('requirements.txt is larger than 1 MiB.');
  });
});

describe('file link', () => {
  const now = Date.UTC(2026, 0, 1);
  const token = signFileLink('key', 'file-1', now);

  test('a link opens its file until it expires', () => {
    expect(openFileLink('key', token, now)).toBe('file-1');
    expect(openFileLink('key', token, now + fileLinkSeconds * 1000 - 1)).toBe('file-1');
    expect(() => openFileLink('key', token, now + fileLinkSeconds * 1000)).toThrow('has expired');
  });

  test('refuses a forged link', () => {
    const [body = '', mac = ''] = token.split('.');
    const other = Buffer.from(`file-2.${now}`).toString('base64url');
    for (const forged of ['', 'a.b', body, `${other}.${mac}`, `${body}.${mac.slice(1)}`]) {
      expect(() => openFileLink('key', forged, now)).toThrow('not valid');
    }
    expect(() => openFileLink('other key', token, now)).toThrow('not valid');
  });
});

describe('index errors', () => {
  const head = 'error: No solution found when resolving dependencies\n  cause: ';
  const tail = 'we can conclude that your requirements are unsatisfiable.';
  const refusal = (text: string) => resolverRefusal(text, 'Python 3.11 on x86_64');

  test.each([
    [
      `${head}Because nope was not found in the package registry and you require nope, ${tail}`,
      'The package nope does not exist in the package index.',
    ],
    [
      `${head}Because all versions of pysha3 have no usable wheels and you require pysha3, ${tail}`,
      'The package pysha3 has no wheel for Python 3.11 on x86_64; source packages are not accepted.',
    ],
    [
      `${head}Because numpy==1.21.0 has no usable wheels and you require numpy==1.21.0, ${tail}`,
      'The package numpy==1.21.0 has no wheel for Python 3.11 on x86_64; source packages are not accepted.',
    ],
    [
      `${head}Because only treys==0.1.8 is available and treys==0.1.8 has no usable wheels, ${tail}`,
      'The package treys==0.1.8 has no wheel for Python 3.11 on x86_64; source packages are not accepted.',
    ],
    [
      `${head}Because there is no version of numpy==99 and you require numpy==99, ${tail}`,
      'There is no version of numpy==99 in the package index.',
    ],
    [
      `${head}Because you require numpy>=2 and numpy<1.5, ${tail}`,
      'The packages in requirements.txt cannot be installed together: you require numpy>=2 and numpy<1.5.',
    ],
  ])('explains a refusal of the resolver in one sentence: %#', (output, sentence) => {
    expect(refusal(output)).toMatchObject({
      code: 'FAILED_PRECONDITION',
      reason: 'package-unresolvable',
      message: sentence,
    });
  });

  const failed = (cause: string) =>
    `error: Request failed after 1 retry in 1.8s\n  cause: Failed to fetch: https://x/alpha/\n  ${cause}`;

  test.each([
    [failed('cause: client error (Connect)\n  cause: dns error'), 'package-index-away'],
    [failed('cause: tcp connect error\n  cause: Connection refused (os error 111)'), 'package-index-away'],
    [
      failed('cause: client error (SendRequest)\n  cause: connection closed before message completed'),
      'package-index-away',
    ],
    [
      failed('cause: error sending request for url (https://x/alpha/)\n  cause: operation timed out'),
      'package-index-slow',
    ],
    [failed('cause: HTTP status server error (503 Service Unavailable) for url (https://x/)'), 'package-index-failed'],
    [failed('cause: HTTP status client error (429 Too Many Requests) for url (https://x/)'), 'package-index-failed'],
    [
      `${head}Because alpha was not found in the package registry and you require alpha, ${tail}\n\nhint: An index (https://x/simple) returned a 403 Forbidden error. Check it.`,
      'package-index-failed',
    ],
    [
      `${head}Because alpha was not found in the package registry and you require alpha, ${tail}\n\nhint: An index URL (https://x/simple) could not be queried due to a lack of valid authentication credentials (401 Unauthorized)`,
      'package-index-failed',
    ],
    [
      'error: Unsupported `Content-Type` "application/json" for `https://x/alpha/`. Expected JSON or HTML.',
      'package-index-failed',
    ],
    [
      'error: failed to write to file `/srv/work/resolve-x/cache/a`: No space left on device (os error 28)',
      'packages-interrupted',
    ],
  ])('distinguishes failures of the index and of the machine from refusals: %#', (output, reason) => {
    const failure = refusal(output);
    expect(failure).toMatchObject({ code: 'UNAVAILABLE', reason, retryAfterS: 30 });
    expect(failure.message).not.toMatch(/\/|https/);
  });

  test('has a sentence of its own for each failure', () => {
    const sentences = [
      refusal(failed('cause: dns error')),
      refusal(failed('cause: operation timed out')),
      refusal(failed('cause: HTTP status server error (503 Service Unavailable)')),
      interrupted(),
      timedOut('Resolving', 90),
      timedOut('Downloading', 90),
    ].map(({ message }) => message);
    expect(sentences).toEqual([
      'The package index cannot be reached right now.',
      'The package index did not answer in time. Please try again later.',
      'The package index answered with an error (HTTP 503). Please try again later.',
      'The packages in requirements.txt could not be prepared, because the server is busy. Please try again later.',
      'Resolving the packages in requirements.txt took longer than 90 s.',
      'Downloading the packages in requirements.txt took longer than 90 s.',
    ]);
  });
});

describe('lock', () => {
  const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
  const wheel = (name: string, sha256: string) =>
    `[[packages]]\nname = "${name}"\nversion = "1.0"\nwheels = [{ url = "https://index/${name}-1.0%2Bx-py3-none-any.whl", hashes = { sha256 = "${sha256}" } }]\n`;
  const lock = `lock-version = "1.0"\n\n${wheel('two', b)}\n${wheel('one', a)}`;

  test('lists the wheels of a lock by name', () => {
    expect(resolvedList(lock)).toBe(
      `one==1.0 one-1.0+x-py3-none-any.whl ${a}\ntwo==1.0 two-1.0+x-py3-none-any.whl ${b}`,
    );
  });

  test.each([
    [['one'], undefined],
    [[`one==1.0 --hash=sha256:${b} --hash=sha256:${a}`], undefined],
    [[`one[x]==1.0 --hash=sha256:${b}`, `one==1.0 --hash=sha256:${a}`], undefined],
    [['--require-hashes', `one==1.0 --hash=sha256:${a}`, `two==1.0 --hash=sha256:${b}`], undefined],
    [
      [`one[x]==1.0 --hash=sha256:${b}`],
      /^The wheel one-1\.0\+x-py3-none-any\.whl has the hash sha256:a+, which is none of those for one/,
    ],
    [['--require-hashes', `one==1.0 --hash=sha256:${a}`], /has none for two==1\.0, which other packages need\.$/],
  ])('compares the hashes of %j with those of the wheels', (lines, problem) => {
    const compare = () => refuseOtherHashes(lines, lock);
    if (problem === undefined) expect(compare).not.toThrow();
    else expect(compare).toThrow(problem);
  });
});
