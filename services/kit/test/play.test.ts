// `husky play` from an installed wheel: results, files, bad input, Ctrl-C, a full disk.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Ended, installedKit, type RunOptions, run } from './installed-kit.ts';

// Each command starts Python, Node and a seat host; a busy machine needs seconds for them.
vi.setConfig({ testTimeout: 180_000 });

let bin: string;
let folder: string;

beforeAll(async () => {
  bin = await installedKit();
}, 300_000);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'husky-play-'));
  mkdirSync(join(folder, 'tmp'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function husky(args: readonly string[], options: Partial<RunOptions> = {}): Promise<Ended> {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, TMPDIR: join(folder, 'tmp') };
  return run(join(bin, 'husky'), args, { cwd: folder, env, ...options });
}

const deterministic = ['house', 'tight-aggressive', 'position-aware', 'calling-station', 'house', 'tight-aggressive'];
const sentence = /^husky: [^\n]+\n$/;

/** Expects that a command has left no process, no run directory and no temporary file. `kept`: names that the folder may contain. */
function expectNothingLeft(kept: readonly string[]): void {
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  expect(readdirSync(folder).filter((name) => !['tmp', '.cache', ...kept].includes(name))).toEqual([]);
  // Dealer and seat host have the folder in their command lines or environments.
  const processes = execFileSync('ps', ['axww', '-o', 'args'], { encoding: 'utf8' }).split('\n');
  expect(processes.filter((line) => line.includes(folder))).toEqual([]);
}

/** A bot whose every decision depends on randomness that Python derives from the seat's seed. */
const gambler = `import random
from bot import Bot
from type.poker_action import PokerAction

class SimplePlayer(Bot):
    def __init__(self):
        super().__init__()
        self.own = random.Random()
        self.order = list({'fold', 'call', 'call it', 'raise', 'raise it'})
    def on_start(self, *a): pass
    def on_round_start(self, *a): pass
    def on_end_round(self, *a): pass
    def on_end_game(self, *a): pass
    def get_action(self, state, chips):
        choice = self.order[hash(f'{random.random()} {self.own.random()}') % 5]
        if choice.startswith('raise'):
            return PokerAction.RAISE, state.min_raise * random.randint(1, 3)
        return (PokerAction.CALL if choice != 'fold' or state.current_bet == 0 else PokerAction.FOLD), 0
`;

test('two plays with the same seed have the same digest, and the same bytes without times', async () => {
  const plays = ['first', 'second'].map((out) =>
    husky(['play', ...deterministic, '--hands', '60', '--seed', '7', '--no-times', '--out', out, '--json']),
  );
  const [first, second] = (await Promise.all(plays)).map(({ code, stdout, stderr }) => {
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  });
  expect(first.matches[0].play_digest).toBe(second.matches[0].play_digest);
  expect(first.bots.map(({ net }: { net: number }) => net)).toEqual(second.bots.map(({ net }: { net: number }) => net));
  for (const name of ['match.jsonl', 'match.phhs'])
    expect(readFileSync(join(folder, 'first', name)).equals(readFileSync(join(folder, 'second', name)))).toBe(true);
  expect(readdirSync(join(folder, 'first')).sort()).toEqual([
    'logs',
    'match.jsonl',
    'match.phhs',
    'replays',
    'result.json',
  ]);
  expect(readdirSync(join(folder, 'first/logs'))).toHaveLength(6);
  const lines = readFileSync(join(folder, 'first/match.jsonl'), 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(62);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'manifest', hands: 60, attempt: 1, source: null });
  expectNothingLeft(['first', 'second']);
});

test('a repeated match is equal to its file, bots included, and the first difference is named', async () => {
  writeFileSync(join(folder, 'gambler.py'), gambler);
  writeFileSync(join(folder, 'other.py'), gambler.replace('randint(1, 3)', 'randint(1, 9)'));
  writeFileSync(
    join(folder, 'clock.py'),
    gambler.replace('self.order[hash', 'self.order[__import__("time").perf_counter_ns() // 7 % 5 - hash'),
  );
  const like = async (...bots: readonly string[]) => {
    const { code, stdout, stderr } = await husky(['play', ...bots, '--like', 'out/match.jsonl', '--json']);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout).matches[0].like;
  };
  const bots = ['gambler.py', 'gambler.py', 'pressure'];
  expect(await husky(['play', ...bots, '--hands', '30', '--seed', 'x', '--out', 'out'])).toMatchObject({ code: 0 });
  const { hands } = JSON.parse(readFileSync(join(folder, 'out/result.json'), 'utf8'));
  expect(await like(...bots)).toEqual({
    equal: true,
    equal_hands: hands,
    difference: null,
    other_files: [],
    rules_version: 3,
  });
  const swapped = await like('gambler.py', 'other.py', 'pressure');
  expect(swapped).toMatchObject({ equal: false, other_files: [1], difference: { byLimit: false } });
  const { stdout } = await husky(['play', 'gambler.py', 'other.py', 'pressure', '--like', 'out/match.jsonl']);
  expect(stdout).toMatch(
    /Not equal\. The first difference is in hand \d+, act \d+: .* in the file, .* here\. The files of other in seat 2 are not those of the match\./,
  );
  expect(await husky(['play', 'clock.py', 'house', '--hands', '30', '--out', 'clock'])).toMatchObject({ code: 0 });
  const clock = await husky(['play', 'clock.py', 'house', '--like', 'clock/match.jsonl']);
  expect(clock.stdout).toContain('Bots that use clocks, threads, os.urandom');
});

test('two copies of a bot win exactly the same over the rotations of duplicate play, on two threads', async () => {
  const bots = ['tight-aggressive', 'house', 'tight-aggressive', 'house'];
  const { code, stdout, stderr } = await husky([
    'play',
    ...bots,
    '--duplicate',
    '--hands',
    '25',
    '--jobs',
    '2',
    '--json',
  ]);
  expect(code, stderr).toBe(0);
  const { matches, bots: results, settings } = JSON.parse(stdout);
  expect(settings.stacks).toBe('reset');
  expect(matches).toHaveLength(4);
  expect(new Set(matches.map(({ seed }: { seed: string }) => seed)).size).toBe(1);
  const nets = results.map(({ net }: { net: number }) => net);
  expect(nets.slice(0, 2)).toEqual(nets.slice(2));
});

test('a trial shows its course and the hands that differed most, equally with the same seed, and ends at the budget', async () => {
  const trial = (...args: readonly string[]) => husky(['trial', ...args, '--seed', '7', '--hands', '10']);
  const bots = ['random-legal', 'house', '--field', 'pressure', '--max-hands', '440'];
  const { code, stdout, stderr } = await trial(...bots);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(
    /^ +10 deal sets, +400 hands: \S+ \(\S+ to \S+\) big blinds per 100 hands\n +11 deal sets, +440/,
  );
  expect(stdout).toMatch(/Hands that differed most, in chips:\n.*random-legal +house +seed/);
  expect(stdout).toMatch(/\nUndecided between random-legal and house: [^\n]+ after 440 hands; [^\n]+\n$/);
  const again = JSON.parse((await trial(...bots, '--json', '--jobs', '2')).stdout);
  expect(again).toMatchObject({
    verdict: 'undecided',
    hands: 440,
    sets: 11,
    course: { length: 2 },
    different: { length: 5 },
  });
  expect(stdout).toContain(again.sentence);
  const same = JSON.parse((await trial('house', 'house', '--json')).stdout);
  expect(same).toMatchObject({ verdict: 'no_difference', identical: true, hands: 0 });
  writeFileSync(join(folder, 'broken.py'), 'import nothing_of_that_name\n');
  for (const [args, exit, reason] of [
    [['house', 'broken.py', '--field', 'pressure'], 1, /husky: B did not play to the end: it .*nothing_of_that_name/],
    [['house', 'pressure', '--max-hands', '100'], 2, /a deal set has 120 hands, more than the budget of 100/],
    [['house', 'pressure', '--alpha', '1'], 2, /'1' is no number from 0.0001 to 0.5/],
  ] as const) {
    const refused = await trial(...args);
    expect(refused).toMatchObject({ code: exit, stdout: '' });
    expect(refused.stderr).toMatch(reason);
  }
  expectNothingLeft(['broken.py']);
});

test('a bot that fails is reported with its fault and its line, and the exit code is 1 when it is disabled', async () => {
  const source =
    'from bot import Bot\n\nclass SimplePlayer(Bot):\n    def on_start(self, *a): pass\n    def on_round_start(self, *a): pass\n    def on_end_round(self, *a): pass\n    def on_end_game(self, *a): pass\n    def get_action(self, state, chips):\n        print("about to fail")\n        return 1 / 0\n';
  writeFileSync(join(folder, 'broken.py'), source);
  const { code, stdout } = await husky(['play', 'broken.py', 'house', '--hands', '30', '--out', 'out']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/ZeroDivisionError: division by zero; .* \(line 10\)/);
  expect(stdout).toMatch(/broken did not play to the end: it .*10 faults in a row/);
  expect(readFileSync(join(folder, 'out/logs/seat-1-broken.txt'), 'utf8')).toContain('about to fail');
});

test.each([
  ['a bot that does not exist', ['nobody', 'house'], 'there is no bot nobody'],
  ['a single bot', ['house'], 'a match has 2 to 6 bots, not 1'],
  ['seven bots', Array(7).fill('house'), 'a match has 2 to 6 bots, not 7'],
  ['a match file that does not exist', ['house', 'house', '--like', 'none.jsonl'], 'none.jsonl'],
  ['a file that is no match file', ['house', 'house', '--like', 'bot.py'], 'its first line is no manifest of a match'],
  ['a folder that has files', ['house', 'house', '--hands', '1', '--out', '.'], 'exists already'],
])('refuses %s with one sentence', async (_, args, reason) => {
  writeFileSync(join(folder, 'bot.py'), 'x = 1\n');
  const { code, stdout, stderr } = await husky(['play', ...args]);
  expect(code, stderr).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(reason);
  expect(stderr).toMatch(sentence);
  expectNothingLeft(['bot.py']);
});

test.each(['SIGINT', 'SIGTERM'] as const)('leaves no process and no file after %s during play', async (signal) => {
  const args = ['play', ...deterministic, '--hands', '10000', '--repeat', '4', '--jobs', '2', '--out', 'out'];
  const { code } = await husky(args, {
    onStart(child) {
      // The last bot's file is copied when its match starts.
      const started = () =>
        expect(globSync('husky-*/1/bots/5/player.py', { cwd: join(folder, 'tmp') })).toHaveLength(1);
      void vi.waitFor(started, { timeout: 100_000, interval: 50 }).then(() => child.kill(signal));
    },
  });
  expect(code).toBe(signal === 'SIGINT' ? 130 : null);
  await vi.waitFor(() => expectNothingLeft([]), { timeout: 60_000, interval: 200 });
});

test('a full disk ends a play with one sentence, and nothing is left behind', async () => {
  // A limit on the size of files stands for a full disk: any user can set it.
  const command = 'ulimit -S -f 100; exec "$0" play house tight-aggressive --hands 300 --out out';
  const env = { PATH: '/usr/bin:/bin', HOME: folder, TMPDIR: join(folder, 'tmp') };
  const { code, stderr } = await run('/bin/sh', ['-c', command, join(bin, 'husky')], { cwd: folder, env });
  expect(code, stderr).toBe(2);
  expect(stderr).toMatch(/husky: .*(larger than this process may write|disk is full)/);
  expectNothingLeft([]);
});

test('a user other than root can play too and is shown which means of the sandbox are in force', async ({ skip }) => {
  const uid = 65534;
  if (process.getuid?.() !== 0) skip('only root can start a program as another user');
  execFileSync('chmod', ['-R', 'a+rwX', folder]);
  const reachable = await husky(['--version'], { uid }).catch(() => ({ code: 1 }));
  if (reachable.code !== 0) skip('another user cannot read this clone or its Python');
  const { code, stdout, stderr } = await husky(['play', 'house', 'pressure', '--hands', '20'], { uid });
  expect(code, stderr).toBe(0);
  // A player may win all chips before the last hand.
  expect(stdout).toMatch(/\d+ hands in/);
  expect(stderr).toContain('own_uid: the host is not root');
});

test('without a sandbox the play is the same, a failing bot is named, and nothing is left behind', async () => {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, TMPDIR: join(folder, 'tmp'), HUSKY_SEATS: 'open' };
  writeFileSync(join(folder, 'gambler.py'), gambler);
  const args = ['play', 'gambler.py', 'gambler.py', 'pressure', 'house', '--hands', '20', '--seed', '7', '--json'];
  const [open, sandboxed] = [await husky(args, { env }), await husky(args)];
  expect(open.code, open.stderr).toBe(0);
  const digestOf = ({ stdout }: Ended) => JSON.parse(stdout).matches[0].play_digest;
  expect(digestOf(open)).toBe(digestOf(sandboxed));
  expect(JSON.parse(open.stdout).sandbox).toMatchObject({
    means: [],
    missing: [expect.stringContaining('no sandbox')],
  });
  writeFileSync(join(folder, 'broken.py'), 'import nothing_of_that_name\n');
  const broken = await husky(['play', 'broken.py', 'house', '--hands', '5'], { env });
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/No module named 'nothing_of_that_name'; .* \(line 1\)/);
  expect(broken.stderr).toContain('The bots run without a sandbox, as your own programs');
  expectNothingLeft(['broken.py', 'gambler.py']);
});
