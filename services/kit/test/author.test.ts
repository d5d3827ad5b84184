// `husky author` against a model's server of our own, which answers from files and fails in every way.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { installPackages } from '../../../scripts/python/packages.ts';
import { findPython } from '../../../scripts/up/preflight.ts';
import { type Ended, installedKit, type RunOptions, run } from './installed-kit.ts';
import { json, type ModelServer, type Step, startModelServer } from './model-server.ts';

vi.setConfig({ testTimeout: 300_000 });

const key = 'sk-test-0123456789abcdef';
const small = ['--hands', '6', '--sets', '2', '--field', 'calling-station'];
let bin: string;
let packages: string;
let folder: string;
let server: ModelServer;
let steps: (model: string, round: number, call: number) => Step;

beforeAll(async () => {
  bin = await installedKit();
  packages = await installPackages('author', findPython(join(bin, 'python')));
}, 300_000);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'husky-author-'));
  server = await startModelServer((model, round, call) => steps(model, round, call));
});

afterEach(async () => {
  await server.stop();
  // Nothing that a command has written or printed has the key.
  const found = execFileSync('sh', ['-c', `grep -rlF ${key} . || true`], { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true, force: true });
  expect(found).toBe('');
});

function author(args: readonly string[], more: Partial<RunOptions> = {}): Promise<Ended> {
  return husky(['author', '--base-url', server.url, ...small, ...args], more);
}

async function husky(given: readonly string[], more: Partial<RunOptions> = {}): Promise<Ended> {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, PYTHONPATH: packages, OPENAI_API_KEY: key, ...more.env };
  const ended = await run(join(bin, 'husky'), given, { cwd: folder, ...more, env });
  expect(`${ended.stdout}${ended.stderr}`).not.toContain(key);
  return ended;
}

const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');
const result = (out: string, round: number) => JSON.parse(read(out, `round-0${round}`, 'result.json'));

/** Answers, in the order of the rounds, with the verdict and notes that the documents promise. */
const answers: readonly (Step & { readonly verdict: RegExp; readonly notes?: RegExp; readonly first?: Step })[] = [
  { verdict: /^The answer was empty\.$/ },
  { refusal: 'I cannot help with gambling.', verdict: /^The model refused: I cannot help with gambling\.$/ },
  {
    file: 'first',
    edit: (text) => text.slice(0, 900),
    finish: 'length',
    verdict: /cut off at the token limit \(200 tokens\), before player\.py/,
  },
  {
    file: 'first',
    edit: (text) => text.slice(0, 20),
    verdict: /no player\.py: no code block defines class SimplePlayer. It begins: Here is a bot/,
  },
  {
    file: 'first',
    edit: (text) => text.replace(/```\n\nrequirements[\s\S]*/, ''),
    verdict: /without a fault/,
    notes: /was not closed/,
  },
  {
    file: 'two-players',
    verdict: /without a fault/,
    notes: /2 blocks of player\.py: the last.*helper\.py/,
    first: json(429, { message: 'slow down' }, { 'retry-after': '1' }),
  },
  { file: 'injected', verdict: /exception: (PermissionError|FileNotFoundError).*line 2\d/ },
  { file: 'improved', uncounted: true, verdict: /without a fault/, first: { file: 'first', cut: true } },
];

test('every answer ends as the documents say, with tokens and money counted', async () => {
  steps = (_, round, call) => (call === 0 && answers[round - 1]?.first) || (answers[round - 1] as Step);
  writeFileSync(join(folder, 'prices.json'), JSON.stringify({ odd: { input: 2, output: 10, cached_input: 0.5 } }));
  const args = ['--model', 'odd', '--out', 'odd', '--rounds', String(answers.length), '--prices', 'prices.json'];
  const { code, stdout, stderr } = await author([...args, '--param', 'temperature=0.5', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  for (const [index, { verdict, notes }] of answers.entries()) {
    const found = result('odd', index + 1);
    expect(found.verdict, `round ${index + 1}`).toMatch(verdict);
    expect(found.notes?.join(' ') ?? '', `round ${index + 1}`).toMatch(notes ?? /^/);
    expect(found).toMatchObject({
      versions: { rules: 3, client: expect.stringMatching(/^openai 3/), model: 'odd-0001' },
    });
    if (index < 7) expect(found).toMatchObject({ usage: { input: 1000, output: 200, estimated: 0 }, cost_usd: 0.0034 });
  }
  // A cut connection costs the prompt and what has arrived of the answer.
  const { usage } = result('odd', 8);
  expect(usage.estimated).toBe(usage.input + usage.output);
  expect(server.calls.map(({ round }) => round)).toEqual([1, 2, 3, 4, 5, 6, 6, 7, 8, 8]);
  expect(server.calls[0]).toMatchObject({ authorization: `Bearer ${key}`, body: { temperature: 0.5, stream: true } });
  // What a bot has printed is one quoted line in the next prompt, and no file beside the two is taken.
  const [, after = ''] = server.calls.find(({ round }) => round === 8)?.prompt.split('what happened\n') ?? [];
  expect(after).toMatch(/\nThe bot failed in hand \d+, exception: [^\n`]*\n/);
  expect(existsSync(join(folder, '..', 'escaped.txt'))).toBe(false);
  // The best round counts, not the last.
  const summary = JSON.parse(stdout);
  const means = summary.rounds.map((one: { ok: boolean; bb_per_100: { mean: number } }) =>
    one.ok ? one.bb_per_100.mean : Number.NEGATIVE_INFINITY,
  );
  expect(summary.best_round - 1).toBe(means.indexOf(Math.max(...means)));
  expect(read('odd/best/player.py')).toBe(
    read('odd', `round-${String(summary.best_round).padStart(2, '0')}`, 'player.py'),
  );
  expect(summary).toMatchObject({ usage: { input: 7000 + usage.input, output: 1400 + usage.output } });
  // Run again: nothing is asked, nothing changes.
  expect(JSON.parse((await author([...args, '--param', 'temperature=0.5', '--json'])).stdout)).toEqual(summary);
  expect(server.calls).toHaveLength(10);
});

test('a failure of the server, of a setting or of a site is one sentence, and nothing is asked twice', async () => {
  const page: Step = { error: { status: 200, body: '<html></html>', headers: { 'content-type': 'text/html' } } };
  const table: Readonly<Record<string, [Step, number, RegExp, (readonly string[])?, Record<string, string>?]>> = {
    wrong: [
      json(401, { message: `Incorrect API key provided: ${key}` }),
      4,
      /refuses the key in OPENAI_API_KEY \(401\): Incorrect API key provided: \[key\]/,
    ],
    absent: [json(404, { message: 'no such model' }), 3, /has no model absent, .* \(404\): no such model/],
    page: [page, 3, /answers with a web page/],
    poor: [json(429, { message: 'no money', code: 'insufficient_quota' }), 3, /no quota left: no money/],
    later: [json(429, { message: 'tomorrow' }, { 'retry-after': '86400' }), 3, /asks for 86400 s/],
    broken: [json(500, { message: 'oops' }), 3, /answers 500 \(oops\), 2 times/, ['--retries', '1']],
    cut: [{ file: 'first', cut: true }, 3, /has cut the connection, 1 times/, ['--retries', '0']],
    unindexed: [
      { file: 'first', edit: (text) => text.replace('```text\n', '```text\nnumpy\n') },
      2,
      /the packages of .*requirements\.txt cannot be checked, as /,
    ],
    tokens: [{ file: 'first' }, 1, /budget was reached before round 1/, ['--max-tokens', '10']],
    keyless: [{}, 4, /set OPENAI_API_KEY/, ['--base-url', 'https://models.invalid/v1'], { OPENAI_API_KEY: '' }],
    secret: [{}, 2, /without password/, ['--base-url', `http://user:${key}@localhost/v1`]],
    priceless: [{}, 2, /--max-cost needs --prices/, ['--max-cost', '1']],
    unsubmitted: [{}, 2, /--publish needs --submit/, ['--publish', 'code']],
    tokenless: [{}, 4, /not signed in/, ['--submit']],
    bare: [{}, 2, /pip install 'openai>=/, [], { PYTHONPATH: '' }],
    open: [{}, 2, /without the site's sandbox; --no-sandbox allows it/, [], { HUSKY_SEATS: 'open' }],
  };
  steps = (model) => table[model]?.[0] ?? {};
  const all = Object.entries(table).map(async ([model, [, code, sentence, args = [], env = {}]]) => {
    const ended = await author(['--model', model, '--out', model, '--rounds', '1', ...args], { env });
    expect([ended.code, `${ended.stderr}${ended.stdout}`], model).toEqual([code, expect.stringMatching(sentence)]);
    expect(ended.stderr, model).not.toContain('Traceback');
    expect(existsSync(join(folder, model, 'best')), model).toBe(false);
  });
  await Promise.all(all);
  expect(server.calls.map(({ model }) => model).sort()).toEqual([
    'absent',
    'broken',
    'broken',
    'cut',
    'later',
    'page',
    'poor',
    'unindexed',
    'wrong',
  ]);
});

test('continues after a kill in the middle of an answer, and refuses another plan in the same folder', async () => {
  steps = (_, round) => ({ file: round === 1 ? 'first' : 'improved' });
  const args = ['--model', 'steady', '--out', 'steady', '--rounds', '2', '--json'];
  const dry = await author([...args, '--dry-run']);
  expect([dry.code, JSON.parse(dry.stdout)]).toEqual([
    0,
    expect.objectContaining({ round: 1, prompts: expect.stringMatching(/^[0-9a-f]{64}$/) }),
  ]);
  expect(dry.stdout).toMatch(/The amount of a RAISE is the number of chips you add now/);
  const { tokens } = JSON.parse(dry.stdout);
  const poor = await author(['--model', 'steady', '--out', 'poor', '--max-tokens', String(tokens + 60)]);
  expect([poor.code, poor.stdout]).toEqual([
    1,
    expect.stringMatching(/cut off by the budget, before.*\n.*\nThe budget was reached before round 2/),
  ]);
  const killed = await author(args, {
    onStart: (child) => {
      const timer = setInterval(() => {
        if (!existsSync(join(folder, 'steady/round-01/calls.jsonl'))) return;
        child.kill('SIGKILL');
        clearInterval(timer);
      }, 5);
    },
  });
  expect(killed.code).toBeNull();
  const again = JSON.parse((await author(args)).stdout);
  expect(again.rounds).toHaveLength(2);
  const other = JSON.parse((await author([...args, '--out', 'other'])).stdout);
  const kept = ({ rounds, best }: typeof again) => [
    best,
    rounds.map(({ bb_per_100, bot_hash }: typeof again) => [bb_per_100, bot_hash]),
  ];
  expect(kept(again)).toEqual(kept(other));
  const changed = await author([...args, '--seed', 'another']);
  expect([changed.code, changed.stderr]).toEqual([2, expect.stringMatching(/made with another table/)]);
});

test('bench names what is wrong in its file, and pays nothing', async () => {
  const model = { name: 'odd', base_url: server.url };
  const table: readonly [unknown, number, RegExp, (readonly string[])?][] = [
    ['models: [', 2, /is no YAML: while parsing/],
    [[1], 2, /models\.yaml is no mapping of seed/],
    [{ rounds: 2 }, 2, /has no models/],
    [{ modles: [] }, 2, /unknown keys: modles; known are seed/],
    [{ rounds: 0, models: [model] }, 2, /rounds must be from 1 to 50/],
    [{ rounds: 'two', models: [model] }, 2, /rounds is of the wrong type/],
    [{ models: [model, model] }, 2, /two models are called odd: give each a label/],
    [{ models: [{ ...model, tokens: ['A'] }] }, 2, /model 1: tokens names 1 variables, not one for each of the 2 bots/],
    [{ max_cost: 1, models: [model] }, 2, /model 1: max_cost needs a price/],
    [{ models: [{ ...model, price: { input: -1 } }] }, 2, /a price is \{"input"/],
    [{ publish: 'all', models: [model] }, 2, /publish is one of private, rounds, code/],
    [{ field: ['nobody'], models: [model] }, 2, /there is no bot nobody/],
    [{ models: [{ name: 'odd', base_url: 'https://models.invalid', key_env: 'ABSENT' }] }, 4, /set ABSENT/],
    [{ models: [model] }, 4, /set HUSKY_ADMIN_PASSWORD/, ['--site', 'http://localhost:1', '--admin', 'admin']],
  ];
  const all = table.map(async ([content, code, sentence, args = []], index) => {
    mkdirSync(join(folder, String(index)));
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(folder, String(index), 'models.yaml'), text);
    const ended = await husky(['bench', 'models.yaml', ...args], { cwd: join(folder, String(index)) });
    expect([ended.code, ended.stderr], text).toEqual([code, expect.stringMatching(sentence)]);
    expect(ended.stderr.trimEnd().split('\n'), text).toHaveLength(1);
  });
  await Promise.all(all);
  expect(server.calls).toEqual([]);
});
