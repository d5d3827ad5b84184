import { expect, test } from 'vitest';
import { resolverRefusal } from './index-errors.ts';

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

test('distinguishes an unreachable index from a refusal', () => {
  const output = 'error: Request failed after 3 retries\n cause: Failed to fetch: somewhere\n cause: tcp connect error';
  expect(refusal(output)).toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The package index cannot be reached right now.',
  });
});
