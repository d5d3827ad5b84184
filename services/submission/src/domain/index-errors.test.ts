import { expect, test } from 'vitest';
import { interrupted, resolverRefusal, timedOut } from './index-errors.ts';

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
