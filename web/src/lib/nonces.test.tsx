// @vitest-environment happy-dom
import type { PublicFacts } from '@husky/match/commitment';
import { expect, test } from 'vitest';
import { drawNonce, keepNonce, ownNonce } from './bot-files.ts';

// The example of docs/fairness.md.
const botHash = 'cc613637f5d4820a9a106735405bd2c788b5e514c24bea81a9f98ef7c28f2b55';

test('says of a match with an own bot whether its cards depend on the nonce of the upload', async () => {
  const nonce = drawNonce();
  expect(nonce).toMatch(/^[0-9a-f]{64}$/);
  expect(drawNonce()).not.toBe(nonce);
  localStorage.setItem('nonces', '{damaged');
  await keepNonce(nonce, new File(['print("hello")\n'], 'player.py'), new File(['example\n'], 'requirements.txt'));
  const said = (seat: object, seeds: object | undefined = { list: 1, number: 1 }) =>
    ownNonce({ roster: [seat], seeds } as unknown as PublicFacts, 0);
  expect(said({ botHash, nonce })).toBe('The cards depend on the nonce of your upload.');
  const missing = 'The nonce of your upload is missing: the cards do not depend on it.';
  for (const other of [{}, { nonce: '0'.repeat(64) }]) expect(said({ botHash, ...other })).toBe(missing);
  expect(said({ botHash: 'another', nonce })).toBeNull();
  expect(ownNonce({ roster: [{ botHash }] } as unknown as PublicFacts, 0)).toBeNull();
});
