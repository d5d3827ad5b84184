import { createHash, createHmac } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { expect, test } from 'vitest';
import { isSignedRound, nextRound, quicknet, roundTime } from '../src/beacon.ts';
import { dealKey, recordText, sha256Hex } from '../src/commitment.ts';
import { deckFor } from '../src/deck.ts';
import { SEED_LIST_DEPTH, seedProblem } from '../src/seed-list.ts';

const seed = Buffer.alloc(32, 7);
const seeds = { list: 1, number: 5 };
const [ann, bob] = ['a'.repeat(64), 'b'.repeat(64)];

// Round 1000 of quicknet, as its relays publish it.
const signature = 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39';
const randomness = 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd';

test('derives the key from the seed, the nonces in order and the randomness of the beacon', () => {
  const hmac = (text: string) => createHmac('sha256', seed).update(text).digest('hex');
  const keyOf = (
    nonces: readonly (string | undefined)[],
    beacon?: { chain: string; round: number; signature: string },
  ) => {
    const roster = nonces.map((nonce) => ({ nonce }));
    return Buffer.from(dealKey(seed, { seeds, roster, ...(beacon && { beacon }) })).toString('hex');
  };
  const both = hmac(`{"beacon":null,"nonces":["${ann}","${bob}"]}`);
  expect([keyOf([bob, undefined, ann]), keyOf([ann, bob, ann])]).toEqual([both, both]);
  expect(keyOf([])).toBe(hmac('{"beacon":null,"nonces":[]}'));
  const beacon = { chain: quicknet.hash, round: 1000, signature };
  expect(keyOf([ann], beacon)).toBe(hmac(`{"beacon":"${randomness}","nonces":["${ann}"]}`));
  expect(dealKey(seed, { roster: [{ nonce: ann }] })).toBe(seed);
});

test('knows the rounds of a beacon and their signatures', () => {
  expect(isSignedRound(quicknet, { round: 1000, signature })).toBe(true);
  const { secretKey, publicKey } = bls12_381.shortSignatures.keygen();
  const other = { ...quicknet, publicKey: publicKey.toHex() };
  expect(secretKey).toHaveLength(32);
  expect(isSignedRound(other, { round: 1000, signature })).toBe(false);
  for (const lie of [signature.replace('b4', 'b5'), `${signature}00`, signature.slice(2), '', 'zz'])
    expect(isSignedRound(quicknet, { round: 1000, signature: lie }), lie).toBe(false);
  for (const round of [999, 1001]) expect(isSignedRound(quicknet, { round, signature })).toBe(false);
  const now = quicknet.genesis * 1000;
  expect([nextRound(quicknet, now - 1e9), nextRound(quicknet, now), nextRound(quicknet, now + 2999)]).toEqual([
    1, 3, 3,
  ]);
  for (const ms of [0, 1, 1500, 2999, 3000, 1e12]) {
    const ahead = roundTime(quicknet, nextRound(quicknet, now + ms)) - now - ms;
    expect(ahead).toBeGreaterThan(quicknet.period * 1000);
    expect(ahead).toBeLessThanOrEqual(2 * quicknet.period * 1000);
  }
});

test('finds everything that is wrong with the place of a seed', () => {
  const zeros = '0'.repeat(64);
  const path = Array.from({ length: SEED_LIST_DEPTH }, (_, level) => sha256Hex(`neighbour ${level}`));
  const hash = (...parts: readonly (string | Buffer)[]) =>
    createHash('sha256')
      .update(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part))))
      .digest();
  let root = hash('00', seed);
  for (const [level, neighbour] of path.entries()) {
    const isLeft = (seeds.number >> level) % 2 === 0;
    root = isLeft ? hash('01', root, neighbour) : hash('01', neighbour, root);
  }
  const link = {
    number: 1,
    jobHash: sha256Hex('seeds:1'),
    commitment: root.toString('hex'),
    time: 't',
    previous: zeros,
  };
  const record = { ...link, hash: sha256Hex(recordText(link)) };
  const good = { seed, proof: { path, record }, recordNumber: 3 };
  const facts = { seeds } as Parameters<typeof seedProblem>[1];
  expect(seedProblem(good, facts)).toBeUndefined();
  expect(seedProblem({ ...good, proof: null }, {} as typeof facts)).toBeUndefined();
  const relinked = (change: object) => {
    const changed = { ...link, ...change };
    return { path, record: { ...changed, hash: sha256Hex(recordText(changed)) } };
  };
  const place = 'seed_proof.path: the seed does not stand at place 5 of list 1.';
  const cases: [string, Partial<typeof good> | { proof: null }, object?][] = [
    ['seed_proof: it is missing.', { proof: null }],
    [
      'seed_proof.record.hash: it is not the hash of the record.',
      { proof: { path, record: { ...record, time: 'u' } } },
    ],
    [
      'seed_proof.record.job_hash: it is not the record of list 1.',
      { proof: relinked({ jobHash: sha256Hex('seeds:2') }) },
    ],
    ['seed_proof.record.number: the list was made after the match.', { recordNumber: 1 }],
    [`seed_proof.path: it does not have ${SEED_LIST_DEPTH} hashes.`, { proof: { path: path.slice(1), record } }],
    [place, { seed: Buffer.alloc(32, 8) }],
    [place, { proof: { path: path.toReversed(), record } }],
    [place, { proof: relinked({ commitment: zeros }) }],
    ['seed_proof.path: the seed does not stand at place 4 of list 1.', {}, { seeds: { list: 1, number: 4 } }],
    [
      `seed_proof.path: the seed does not stand at place ${5 + 2 ** SEED_LIST_DEPTH} of list 1.`,
      {},
      { seeds: { list: 1, number: 5 + 2 ** SEED_LIST_DEPTH } },
    ],
  ];
  for (const [sentence, change, other = facts] of cases)
    expect(seedProblem({ ...good, ...change }, other as typeof facts)).toBe(sentence);
});

// docs/fairness.md, Who can gain what. Each attacker tries what it can choose until the cards that it expects suit the friend in seat 0.
test.each<
  [
    who: string,
    knows: { seed?: boolean; round?: boolean },
    chooses: 'nonce' | 'order' | 'whether',
    gains: [boolean, boolean],
  ]
>([
  ['the operator alone: the order of seats', { seed: true }, 'order', [true, false]],
  ['the operator with the participant who uploads last', { seed: true }, 'nonce', [true, false]],
  ['participants together, or the last one to upload', {}, 'nonce', [false, false]],
  ['a participant who keeps his nonce back', {}, 'whether', [false, false]],
  ['whoever runs the beacon', { round: true }, 'nonce', [false, false]],
  ['whoever runs the beacon, with the operator and a participant', { seed: true, round: true }, 'nonce', [true, true]],
])('%s gains what docs/fairness.md says', (_, knows, chooses, gains) => {
  const hash = (text: string) => Buffer.from(sha256Hex(text), 'hex');
  const options = {
    nonce: Array.from({ length: 60 }, (__, index) => ({ nonce: sha256Hex(`try ${index}`), seat: 0 })),
    order: Array.from({ length: 6 }, (__, seat) => ({ nonce: bob, seat })),
    whether: [{ nonce: bob, seat: 0 }, { seat: 0 }],
  }[chooses];
  for (const [at, hasBeacon] of [false, true].entries()) {
    let suited = 0;
    for (let match = 0; match < 60; match++) {
      const suits = ({ nonce, seat }: (typeof options)[number], known: typeof knows) => {
        const round = { chain: 'c', round: 1, signature: sha256Hex(`round ${known.round ? match : 'unknown'}`) };
        const key = dealKey(hash(`seed ${known.seed ? match : 'unknown'}`), {
          seeds,
          roster: [{ nonce: ann }, { nonce }],
          ...(hasBeacon && { beacon: round }),
        });
        // Two cards of 16 are good: 9 % of all hands.
        return [...deckFor(key, 1).subarray(2 * seat, 2 * seat + 2)].every((card) => card >= 36);
      };
      const chosen = options.find((option) => suits(option, knows)) ?? options[0];
      if (chosen && suits(chosen, { seed: true, round: true })) suited += 1;
    }
    expect(suited / 60 > 0.25, hasBeacon ? 'with the beacon' : 'with nonces').toBe(gains[at]);
  }
});

test('an operator who leaves out or exchanges the nonce of a participant deals other cards, and commits to another roster', () => {
  const keys = [{ nonce: bob }, {}].map((seat) => dealKey(seed, { seeds, roster: [seat] }));
  for (const key of keys) expect(key).not.toEqual(dealKey(seed, { seeds, roster: [{ nonce: ann }] }));
});
