// Recomputes the worked example of docs/fairness.md with the code that deals and commits matches.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cardCode } from '@husky/holdem/card';
import { commitmentInput, commitmentOf, dealKey, publicInput, recordText, sha256Hex } from '@husky/match/commitment';
import { deckFor, playerIds, streamKey } from '@husky/match/deck';
import { mutationsOf } from '@husky/testkit/mutations';
import { storedMatchFile } from '@husky/testkit/stored-match-file';
import { expect, onTestFinished, test } from 'vitest';
import { linkRecords } from '../../../services/simulation/src/domain/commitment-chain.ts';
import { readBotFiles } from '../../../services/submission/src/domain/bot-files.ts';
import { packagesHash, resolvedList } from '../../../services/submission/src/domain/lock.ts';

const docs = join(import.meta.dirname, '../../../docs');
const page = readFileSync(join(docs, 'fairness.md'), 'utf8');

const seed = Uint8Array.from({ length: 32 }, (_, index) => index);
const { playerHash, requirementsFileHash, botHash } = readBotFiles(
  Buffer.from('print("hello")\n'),
  Buffer.from('example\n'),
);
const wheel = 'example-1.0-py3-none-any.whl';
const wheelHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const resolved = resolvedList(
  `[[packages]]\nname = "example"\nversion = "1.0"\nwheels = [{ url = "https://index/${wheel}", hashes = { sha256 = "${wheelHash}" } }]`,
);
const withPackages = packagesHash('3.11', 'x86_64-manylinux_2_28', resolved);
const match = {
  seed,
  rulesVersion: 1,
  roster: [
    { userId: '11111111-1111-4111-8111-111111111111', botHash, packagesHash: withPackages },
    { userId: '22222222-2222-4222-8222-222222222222', botHash, packagesHash: '' },
  ],
  hands: 10,
  startingStack: 10_000,
  blinds: { bigBlind: 10, multiplier: '1', interval: 1 },
  profile: 'documented',
};
const jobs = [
  { id: '01234567-89ab-8cde-8123-000000000000', commitment: commitmentOf(match) },
  { id: '89abcdef-0123-8567-8123-000000000000', commitment: commitmentOf({ ...match, seed: seed.toReversed() }) },
];
const [first, second] = linkRecords(undefined, jobs, Date.UTC(2026, 10, 22, 7));
if (!first || !second) throw new Error('no records');
const nonce = '1'.repeat(64);
const deck = [...deckFor(seed, 1)].map(cardCode);

const examples = {
  botHash: [
    `SHA-256 of player.py         ${playerHash}`,
    `SHA-256 of requirements.txt  ${requirementsFileHash}`,
    `botHash                      ${botHash}`,
  ],
  packagesHash: ['3.11', 'x86_64-manylinux_2_28', resolved, '', `packagesHash ${withPackages}`],
  commitment: [
    'public_input',
    publicInput(match),
    'input',
    commitmentInput(match),
    `commitment ${commitmentOf(match)}`,
  ],
  'key of public randomness': [
    `text {"beacon":null,"nonces":["${nonce}"]}`,
    `key  ${Buffer.from(dealKey(seed, { seeds: { list: 1, number: 0 }, roster: [{ nonce }, {}] })).toString('hex')}`,
  ],
  'deck of hand 1': [
    `key  ${Buffer.from(streamKey(seed, 'deck', 1)).toString('hex')}`,
    `deck ${deck.slice(0, 26).join(' ')}`,
    `     ${deck.slice(26).join(' ')}`,
  ],
  'ids towards bots': [
    `key  ${Buffer.from(streamKey(seed, 'player-ids', 0)).toString('hex')}`,
    `ids  ${playerIds(seed, 6).join(' ')}`,
  ],
  chain: [first, second].flatMap((record) => [
    `id   ${jobs[record.number - 1]?.id}`,
    recordText({ ...record, time: record.madeAt.toISOString() }),
    `hash ${record.hash}`,
  ]),
};

test.each(Object.entries(examples))(
  'the worked example of docs/fairness.md equals the output of the code: %s',
  (_, lines) => {
    expect(page).toContain(`\`\`\`text\n${lines.join('\n')}\n\`\`\``);
  },
);

test('docs/verify_match.py computes the deck of the worked example', () => {
  const program = `from verify_match import deck_of; print(*deck_of(bytes(range(32)), 1))`;
  const printed = execFileSync('python3', ['-B', '-c', program], { cwd: docs, encoding: 'utf8' });
  expect(printed.trim()).toBe(deck.join(' '));
});

test('docs/verify_match.py stays short enough to be read before it is run', () => {
  const lines = readFileSync(join(docs, 'verify_match.py'), 'utf8').split('\n');
  expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(120);
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});

test.each([
  ['without a match', ['http://localhost'], /^python3 verify_match\.py ORIGIN JOB_ID/],
  ['with too much', ['http://localhost', 'a', 'b', 'c'], /^python3 verify_match\.py ORIGIN JOB_ID/],
  ['with what is no address', ['localhost', 'a'], /^NOT VERIFIED: localhost\/live\S+ cannot be read: unknown url type/],
  ['with a site that is away', ['http://127.0.0.1:9', 'a'], /^NOT VERIFIED: http:\S+ cannot be read: .*refused/],
])('docs/verify_match.py %s says what it needs', (_, args, sentence) => {
  const { status, stderr } = spawnSync('python3', ['-B', 'verify_match.py', ...args], { cwd: docs, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringMatching(sentence)]);
});

/** Returns what a site publishes of a stored match: the responses that the script reads. */
function published(matchId: string) {
  const { manifest, games } = storedMatchFile(matchId);
  const { job_id: id, seed, commitment_input: public_input } = manifest;
  const commitment = String(manifest.commitment);
  const plan = (manifest.plan as { text: string }).text;
  const { id: planId, seeds } = JSON.parse(plan);
  const proof = manifest.seed_proof as { path: string[]; record: { commitment: string } } | undefined;
  const chain = linkRecords(
    undefined,
    [
      ...(proof ? [{ kind: 'seeds' as const, id: '1', commitment: proof.record.commitment }] : []),
      ...(proof
        ? [{ kind: 'plan' as const, id: '0', commitment, seeds: { list: 1, first: 0, count: seeds.first } }]
        : []),
      ...(proof ? [{ kind: 'plan' as const, id: planId, commitment: sha256Hex(plan), seeds }] : []),
      { id: String(id), commitment },
    ],
    Date.UTC(2025, 9, 1),
  ).map(({ jobHash, madeAt, seeds: taken, ...link }) => ({
    ...link,
    job_hash: jobHash,
    time: madeAt.toISOString(),
    ...(taken && { seeds: taken }),
  }));
  const seed_proof = proof && { path: proof.path, record: chain[0] };
  const facts = { commitment, public_input };
  return {
    id: String(id),
    games,
    served: { chain, commitment: facts, seed: { seed, seed_proof }, ...(proof && { plan: { plan } }), game: games[0] },
  };
}

test.each([
  ['carry-until-bust', 34],
  ['public-randomness', 40],
])(
  'docs/verify_match.py refuses every kind of field of %s that is changed, or lists it as not covered',
  {
    timeout: 120_000,
  },
  async (matchId, hands) => {
    const { id, games, served } = published(matchId);
    const check = async (site: typeof served) => {
      const server = createServer(({ url = '' }, response) => {
        const answers: readonly (readonly [RegExp, unknown])[] = [
          [/commitments.*after=0/, { commitments: site.chain }],
          [/commitments/, { commitments: [] }],
          [/commitment$/, site.commitment],
          [/seed$/, site.seed],
          [/plan$/, 'plan' in site ? site.plan : undefined],
          [/games$/, { games: games.map((_, index) => ({ game_id: String(index) })) }],
          [/game\/0$/, { game_data: site.game }],
        ];
        const [, answer] = answers.find(([path]) => path.test(url)) ?? [];
        response.end(JSON.stringify(answer ?? { game_data: games[Number(url.split('/').at(-1))] }));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      return new Promise<{ stdout: string; stderr: string }>((resolve) => {
        execFile('python3', ['-B', 'verify_match.py', origin, id], { cwd: docs }, (_, stdout, stderr) =>
          resolve({ stdout, stderr }),
        );
      });
    };
    const promised = matchId === 'public-randomness' ? 'list of the seed: record 1' : 'Not proven: that nobody chose';
    expect(await check(served)).toEqual({
      stdout: expect.stringMatching(`^verified: ${hands} hands.*\n${promised}`),
      stderr: '',
    });
    const missed: string[] = [];
    for (const { kind, document } of mutationsOf(served)) {
      const { stdout, stderr } = await check(document);
      const [, listed = ''] = /^Not covered .*: (.*)$/m.exec(stdout) ?? [];
      const [part, key = ''] = kind.split('.');
      const isListed = part === 'game' && listed.split(', ').includes(key);
      if (!stderr.startsWith('NOT VERIFIED: ') && !isListed) missed.push(`${kind}: ${stdout}${stderr}`);
    }
    expect(missed).toEqual([]);
  },
);
