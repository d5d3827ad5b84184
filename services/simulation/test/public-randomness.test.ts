import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dealKey, type PublicFacts, subjectHash, type TakenSeeds } from '@husky/match/commitment';
import { seedProblem } from '@husky/match/seed-list';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { afterAll, expect, test, vi } from 'vitest';
import { keepSeedLists } from '../src/store/seed-lists.ts';
import { checkChain } from '../src/work/chain-checker.ts';
import { asAdmin, startBatchWorld, users } from './batch-world.ts';
import { sixUsers } from './start-service.ts';

const nonce = (letter: string) => letter.repeat(64);
const { shortSignatures } = bls12_381;
const keys = shortSignatures.keygen();

/** Signs a round as a drand network does. */
function signed(round: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(round));
  const message = createHash('sha256').update(bytes).digest();
  const point = shortSignatures.hash(message, 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_');
  return shortSignatures.sign(point, keys.secretKey).toHex();
}

/** A relay of a drand network; `answer` returns what it sends for a round. */
async function startRelay(answer: (round: number) => { status?: number; body: string }) {
  const asked: string[] = [];
  const relay = { answer, asked };
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { status = 200, body } = relay.answer(Number(request.url?.split('/').at(-1)));
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(relay, { url: `http://127.0.0.1:${port}`, stop: () => server.close() });
}

const world = await startBatchWorld();
const { service } = world;
afterAll(() => service.stop());

const planOf = async (jobId: string, from = service) => {
  const { text, record } = await from.gateway.getPlan({ jobId }, asAdmin);
  return { plan: JSON.parse(text) as { seeds: TakenSeeds; beacon?: { round: number } }, record };
};
const factsOf = async (jobId: string, from = service): Promise<PublicFacts> =>
  JSON.parse((await from.gateway.getJob({ jobId }, asAdmin)).commitmentDetails?.publicInput ?? '{}');

test('takes seeds in order from a list that is in the chain before everything else', async () => {
  const { records } = await service.gateway.listCommitments({ after: 0, limit: 1 }, asAdmin);
  expect(records[0]).toMatchObject({ number: 1, kind: 'seeds', jobHash: subjectHash('seeds', '1'), seeds: null });
  const single = await service.gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, asAdmin);
  const batchId = await world.createReady(users(7), { numRounds: 10 });
  const set = await service.gateway.createMatch({ userIds: sixUsers(), numRounds: 6, mode: 'duplicate' }, asAdmin);
  const { jobs } = await service.gateway.listBatchJobs({ batchId, page: 1, pageSize: 10, status: '' }, asAdmin);
  const seedOf = async (id: string) => (await factsOf(id)).seeds;
  expect(await seedOf(single.id)).toEqual({ list: 1, number: 0 });
  expect(await Promise.all(jobs.map(({ id }) => seedOf(id)))).toEqual(
    jobs.map((_, index) => ({ list: 1, number: 1 + index })),
  );
  for (const { jobId } of set.rotations) expect(await seedOf(jobId)).toEqual({ list: 1, number: 8 });
  for (const [id, taken] of [
    [single.id, { list: 1, first: 0, count: 1 }],
    [jobs[0]?.id ?? '', { list: 1, first: 1, count: 7 }],
    [set.id, { list: 1, first: 8, count: 1 }],
  ] as const) {
    const { plan, record } = await planOf(id);
    expect([plan.seeds, record?.seeds]).toEqual([taken, taken]);
  }
  expect(await checkChain(service.context)).toBe('');
});

test('deals from the seed and the nonces of the players, and proves the place of the seed', async () => {
  const userIds = sixUsers();
  for (const [index, letter] of ['c', 'a', 'b'].entries())
    service.doubles.nonces.set(userIds[index] ?? '', nonce(letter));
  const { id } = await service.gateway.createMatch({ userIds, numRounds: 6 }, asAdmin);
  const facts = await factsOf(id);
  expect(facts.roster.map((seat) => seat.nonce)).toEqual([
    nonce('c'),
    nonce('a'),
    nonce('b'),
    undefined,
    undefined,
    undefined,
  ]);
  let assignment = await service.mustClaim();
  while (assignment.jobId !== id) {
    await service.accept(assignment);
    assignment = await service.mustClaim();
  }
  await service.accept(assignment);
  const { seedHex, path, listRecord } = await service.gateway.getSeed({ jobId: id }, asAdmin);
  const seed = Buffer.from(seedHex, 'hex');
  expect(Buffer.from(dealKey(seed, facts))).toEqual(assignment.seed);
  expect(assignment.seed).not.toEqual(seed);
  if (!listRecord) throw new Error('no record of the list');
  expect(seedProblem({ seed, proof: { path, record: listRecord }, recordNumber: 99 }, facts)).toBeUndefined();
  const test = await service.gateway.createTestRun(
    { playerFile: Buffer.from('a'), requirementsFile: Buffer.alloc(0) },
    asAdmin,
  );
  expect(await factsOf(test.id)).not.toHaveProperty('seeds');
});

test('a match of runners of the version before is dealt from a seed of its own', async () => {
  const old = await startBatchWorld();
  await old.service.claim('old', 0, 0, 2);
  const { id } = await old.service.gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, asAdmin);
  const { commitmentDetails } = await old.service.gateway.getJob({ jobId: id }, asAdmin);
  const facts = JSON.parse(commitmentDetails?.publicInput ?? '') as PublicFacts;
  expect([facts.rulesVersion, facts.seeds]).toEqual([2, undefined]);
  await old.service.stop();
});

test('waits for the round of the beacon that its plan names, and believes no answer without a signature', async () => {
  const good = await startRelay((round) => ({ body: JSON.stringify({ round, signature: signed(round) }) }));
  const lies = ['', '{', '{"signature":1}', JSON.stringify({ signature: signed(1) }), 'x'.repeat(20_000)];
  const bad = await startRelay((round) => ({
    status: round % 2 === 0 ? 500 : 200,
    body: lies.shift() ?? JSON.stringify({ round, signature: signed(round + 1) }),
  }));
  const genesis = Math.floor(service.clock.now() / 1000) - 3000;
  const info = { hash: 'c'.repeat(64), public_key: keys.publicKey.toHex(), genesis_time: genesis, period: 3 };
  const { service: own, ...batches } = await startBatchWorld({
    BEACON_URLS: `http://127.0.0.1:1, ${bad.url}`,
    BEACON_CHAIN: JSON.stringify(info),
  });
  const batchId = (await batches.create(users(7), { numRounds: 10 })).id;
  const single = await own.gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, asAdmin);
  const { plan, record } = await planOf(single.id, own);
  const round = plan.beacon?.round ?? 0;
  expect((genesis + (round - 1) * 3) * 1000).toBeGreaterThan(Date.parse(record?.time ?? ''));
  const reason = `Waits for round ${round} of the public beacon, from which its cards are dealt.`;
  const waiting = () => own.gateway.getJob({ jobId: single.id }, asAdmin);
  expect(await waiting()).toMatchObject({ status: 'PENDING', commitment: '', waitingReason: reason });
  expect(bad.asked).toEqual([]);
  own.clock.advance(20_000);
  await vi.waitFor(
    () => {
      own.clock.advance(60_000);
      own.context.worker.kick();
      expect(bad.asked.length).toBeGreaterThan(8);
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(bad.asked[0]).toMatch(new RegExp(`^/${info.hash}/public/\\d+$`));
  expect(await waiting()).toMatchObject({ commitment: '', waitingReason: reason });
  expect(await batches.read(batchId)).toMatchObject({
    state: 'Generating',
    generatedJobs: 0,
    problem: expect.stringContaining('Waits for round'),
  });
  bad.answer = good.answer;
  await vi.waitFor(
    async () => {
      own.clock.advance(60_000);
      own.context.worker.kick();
      expect((await waiting()).commitment).not.toBe('');
      expect((await batches.read(batchId)).state).toBe('Ready');
    },
    { timeout: 20_000, interval: 50 },
  );
  const facts = await factsOf(single.id, own);
  expect(facts.beacon).toEqual({ chain: info.hash, round, signature: signed(round) });
  expect(await checkChain(own.context)).toBe('');
  await own.stop();
  good.stop();
  bad.stop();
});

test('draws the next list before the last one ends, and leaves no seed of a list without a trace', async () => {
  await service.database.admin.query(
    `ALTER TABLE commitments DISABLE TRIGGER commitments_append_only;
     UPDATE commitments SET seeds = seeds || '{"first": ${2 ** 17 - 4}}'
     WHERE number = (SELECT max(number) FROM commitments WHERE seeds IS NOT NULL);
     ALTER TABLE commitments ENABLE TRIGGER commitments_append_only`,
  );
  await keepSeedLists(service.pool, service.clock.now());
  const batchId = await world.createReady(users(7), { numRounds: 10 });
  const { jobs } = await service.gateway.listBatchJobs({ batchId, page: 1, pageSize: 10, status: '' }, asAdmin);
  expect((await factsOf(jobs[0]?.id ?? '')).seeds).toEqual({ list: 2, number: 0 });
  const single = await service.gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, asAdmin);
  expect((await factsOf(single.id)).seeds).toEqual({ list: 2, number: 7 });
});
