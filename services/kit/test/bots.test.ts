// `husky new`, `check` and `debug`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mistakes } from '@husky/testkit/mistakes';
import { startIndex, wheel } from '@husky/testkit/package-index';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type LocalKit, localKit } from './local-kit.ts';

const root = join(import.meta.dirname, '../../..');
const timeoutMs = 300_000;
const mypy = 'mypy==2.4.1';
let kit: LocalKit;
let player: string;

beforeAll(async () => {
  kit = await localKit();
  player = readFileSync(join(kit.folder, 'first.py'), 'utf8');
}, timeoutMs);

afterAll(() => kit?.remove());

/** Writes a bot: the player.py of `husky new` with a text replaced. Returns its folder. */
function bot(name: string, from: string, to: string): string {
  expect(player).toContain(from);
  mkdirSync(join(kit.folder, name), { recursive: true });
  writeFileSync(join(kit.folder, name, 'player.py'), player.replace(from, to));
  return name;
}

const decision = '        my_bet = round_state';
/** Code that makes a bot print the name and the arguments of every call. */
const recorder = `

def _recorded(name):
    method = getattr(SimplePlayer, name)

    def call(self, *arguments):
        print("call", name, self.id, *arguments, flush=True)
        return method(self, *arguments)

    return call


for _name in ("set_id", "on_start", "on_round_start", "get_action", "on_end_round", "on_end_game"):
    setattr(SimplePlayer, _name, _recorded(_name))
`;

test('a new bot passes its own tests and a strict type checker', { timeout: timeoutMs }, async () => {
  expect(readdirSync(join(kit.folder, 'ann')).sort()).toEqual([
    'README.md',
    'player.py',
    'requirements.txt',
    'test_player.py',
  ]);
  const unit = await kit.shell('cd ann && python -m unittest');
  expect(unit.stderr).toMatch(/Ran \d+ tests[\s\S]*OK/);
  const uv = join(import.meta.dirname, '../../../.tools/python/bin/uv');
  // With the environment of the tests, which may name a mirror of the package index.
  execFileSync(uv, ['pip', 'install', '--quiet', '--target', join(kit.folder, 'mypy-packages'), mypy]);
  const types = await kit.shell(
    'cd ann && PYTHONPATH=../mypy-packages python -m mypy --strict player.py test_player.py',
  );
  expect(types.stdout).toBe('Success: no issues found in 2 source files\n');
});

test('new refuses a folder that exists and one whose parent is missing', { timeout: timeoutMs }, async () => {
  const again = await kit.husky(['new', 'ann']);
  expect([again.code, again.stderr]).toEqual([2, 'husky: ann exists already. Choose another name.\n']);
  const lost = await kit.husky(['new', 'no/such/bot']);
  expect(lost.code).toBe(2);
  expect(lost.stderr).toMatch(/^husky: There is no folder [^\n]+\n$/);
});

test('check accepts a new bot after a few hands in the sandbox', { timeout: timeoutMs }, async () => {
  const { code, stdout, stderr } = await kit.husky(['check', 'ann', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  const found = JSON.parse(stdout) as { ok: boolean; bot_hash: string; played: { hands: number } };
  expect(found).toMatchObject({ ok: true, played: { hands: 30 } });
  const manifest = JSON.parse(readFileSync(join(kit.folder, 'results/match.jsonl'), 'utf8').split('\n')[0] ?? '') as {
    players: { bot_hash: string }[];
  };
  expect(found.bot_hash).toBe(manifest.players[0]?.bot_hash);
});

test('check refuses requirements as an upload does, and names that are no bots', {
  timeout: timeoutMs,
}, async () => {
  const needing = (name: string, requirements: string) => {
    bot(name, decision, decision);
    writeFileSync(join(kit.folder, name, 'requirements.txt'), requirements);
    return name;
  };
  const cases: readonly [string, number, RegExp][] = [
    [needing('link', 'git+https://example.org/x'), 1, /Line 1 of requirements\.txt is a link/],
    [needing('module', 'numpy\njson'), 1, /Line 2 of requirements\.txt names json, which is part of Python/],
    ['nobody', 2, /There is no file nobody\./],
    ['results', 2, /The folder results has no player\.py\./],
  ];
  for (const [name, expected, reason] of cases) {
    const { code, stderr } = await kit.husky(['check', name]);
    expect(stderr).toMatch(/^husky: [^\n]+\n$/);
    expect(stderr).toMatch(reason);
    expect(code).toBe(expected);
  }
});

test('check and play say what is wrong with each usual mistake of a first bot, in which line, and the way out', {
  timeout: timeoutMs,
}, async () => {
  const bots = mistakes.map((mistake, number) => {
    const name = `mistake-${number}`;
    mkdirSync(join(kit.folder, name));
    writeFileSync(join(kit.folder, name, 'player.py'), mistake.source);
    return { ...mistake, folder: name };
  });
  // At one table, the endless loop alone would have others wait.
  const tables = Array.from({ length: Math.ceil(bots.length / 5) }, (_, table) => bots.slice(5 * table, 5 * table + 5));
  for (const table of tables) {
    const names = table.map(({ folder }) => folder);
    const { stdout } = await kit.husky(['play', ...names, 'calling-station', '--hands', '10', '--seed', 'mistakes']);
    for (const { folder, name, sentence } of table) {
      const own = stdout
        .split('\n')
        .filter((line) => line.startsWith(`${folder}:`) || line.startsWith(`${folder} did`));
      expect(own.join('\n'), name).toMatch(sentence);
    }
    // The sentence of play is that of check: one bot of each table shows it, and each that an upload refuses.
    const checked = table.filter(({ refusal }, place) => place === 0 || refusal !== undefined);
    await Promise.all(
      checked.map(async ({ folder, name, sentence, refusal }) => {
        const { code, stderr } = await kit.husky(['check', folder, '--hands', '10']);
        expect([code, stderr], name).toEqual([1, expect.stringMatching(refusal ?? sentence)]);
        expect(stderr.trimEnd().split('\n'), name).toHaveLength(1);
      }),
    );
  }
});

test('check reads requirements.txt and the packages as an upload does', { timeout: timeoutMs }, async () => {
  const index = await startIndex({ alpha: [wheel('alpha', '1.0', '')] });
  onTestFinished(() => index.stop());
  const env = { PATH: `${join(root, '.tools/python/bin')}:/usr/bin:/bin`, UV_DEFAULT_INDEX: index.url };
  const file = join(kit.folder, bot('packed', decision, decision), 'requirements.txt');
  const player = join(kit.folder, 'packed/player.py');
  writeFileSync(player, `import alpha, yaml\n${readFileSync(player, 'utf8')}`);
  const check = async (requirements: string | Buffer) => {
    writeFileSync(file, requirements);
    return kit.husky(['check', 'packed', '--hands', '0', '--json'], env);
  };
  const hash = createHash('sha256').update(index.file('alpha-1.0-py3-none-any.whl')).digest('hex');
  const exported = `\ufeffalpha==1.0 ; python_version >= "3.8" \\\r\n    --hash=sha256:${hash}\r\nwin ; os_name == "nt"\r\n`;
  const { code, stdout } = await check(Buffer.from(exported, 'utf16le'));
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { packages: ['alpha==1.0'], warnings: [expect.stringMatching(/imports yaml in line 1, .*write pyyaml/)] },
  ]);
  const other = await check(`alpha==1.0 --hash=sha256:${'0'.repeat(64)}\n`);
  expect(other.code).toBe(1);
  expect(other.stderr).toMatch(
    /The wheel alpha-1\.0-py3-none-any\.whl has the hash sha256:\w+, which is none of those/,
  );
});

test('plays bots in the encodings that their first lines declare', { timeout: timeoutMs }, async () => {
  for (const [coding, text] of [
    ['latin-1', Buffer.from([0xe9])],
    ['gb18030', Buffer.from([0xc4, 0xe3])],
    ['shift_jis', Buffer.from([0x95, 0x5c])],
  ] as const) {
    const name = bot(coding, decision, `        assert len('x%') == 2\n${decision}`);
    const [before = '', after = ''] = readFileSync(join(kit.folder, name, 'player.py'), 'utf8').split('x%');
    const source = [Buffer.from(`# -*- coding: ${coding} -*-\n${before}x`), text, Buffer.from(after)];
    writeFileSync(join(kit.folder, name, 'player.py'), Buffer.concat(source));
    const { code, stdout, stderr } = await kit.husky(['check', name, '--hands', '4']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^4 hands without a fault/m);
  }
});

test('debug makes the same calls to a bot as the match made', { timeout: timeoutMs }, async () => {
  const name = bot('recorder', '"""A starting', '"""A starting');
  appendFileSync(join(kit.folder, name, 'player.py'), recorder);
  const bots = ['tight-aggressive', name, 'calling-station', 'calling-station'];
  const played = await kit.husky(['play', ...bots, '--hands', '8', '--seed', 'calls', '--out', 'recorded']);
  expect([played.code, played.stderr.includes('Traceback')]).toEqual([0, false]);
  const [, log = ''] = readFileSync(join(kit.folder, 'recorded/logs/seat-2-recorder.txt'), 'utf8').split(
    /^Notes of the platform:\n\nOutput of the bot:\n/,
  );
  const ofHands = log.split(/^(?=--- hand \d+, set_id$)/m).map((text) => text.match(/^call .+$/gm) ?? []);
  expect(ofHands).toHaveLength(8);
  for (const hand of [1, 5, 8]) {
    const args = ['debug', name, '--match', 'recorded/match.jsonl', '--hand', String(hand)];
    const { code, stdout } = await kit.husky(args);
    // set_id prints the id that the bot had before it: None in the first hand that it sees.
    const sorted = (calls: readonly string[]) => calls.map((call) => call.replace(/^call set_id \S+/, 'call set_id'));
    expect(sorted(stdout.match(/^call .+$/gm) ?? [])).toEqual(sorted(ofHands[hand - 1] ?? []));
    expect(stdout).toContain('The bot acts as in the match');
    expect(code).toBe(0);
  }
});

test('debug shows where a bot acts differently and stops there', { timeout: timeoutMs }, async () => {
  const name = bot('folder', decision, `        return PokerAction.ALL_IN, 0\n${decision}`);
  const args = ['debug', name, '--match', 'results/match.jsonl', '--hand', '4', '--seat', '1'];
  const first = await kit.husky(args);
  expect(first.stdout).toMatch(/DIFFERENT: the bot now: all-in [\d,]+; in the match: \w+/);
  expect(first.stdout).not.toContain('result');
  expect(first.code).toBe(1);
  const going = await kit.husky([...args, '--keep-going', '--history', '--json']);
  expect(JSON.parse(going.stdout)).toMatchObject({ hand: 4, seat: 1, complete: true });
  const seatless = await kit.husky(args.slice(0, -2));
  expect([seatless.code, seatless.stderr]).toEqual([
    2,
    "husky: Name the bot's seat: --seat S. The seats are 1 ann, 2 calling-station, 3 tight-aggressive.\n",
  ]);
});

test('debug prints the traceback of a bot that raises', { timeout: timeoutMs }, async () => {
  const name = bot('broken', decision, `        self.nothing.happens()\n${decision}`);
  const { code, stdout, stderr } = await kit.husky(['debug', name, '--hands', '1', '--seed', '1']);
  expect(stderr).toMatch(
    /^Traceback \(most recent call last\):\n {2}File ".+\/broken\/player\.py", line \d+, in get_action\n/,
  );
  expect(stdout).toContain("exception: AttributeError: 'SimplePlayer' object has no attribute 'nothing'");
  expect(code).toBe(1);
  const unloadable = bot('unloadable', 'RANKS = "23456789TJQKA"', 'RANKS = missing');
  const { code: second, stderr: reason } = await kit.husky(['debug', unloadable]);
  expect([second, existsSync(join(kit.folder, unloadable, '__pycache__'))]).toEqual([1, false]);
  expect(reason).toMatch(
    /husky: .+ cannot be loaded: NameError: name 'missing' is not defined; assign missing before this line \(line \d+\)\.\n$/,
  );
});

test('breakpoint() and pdb work at the table', { timeout: timeoutMs }, async () => {
  const name = bot('stops', decision, `        breakpoint()\n${decision}`);
  const { output } = await kit.terminal(['debug', name, '--hands', '1', '--seed', '1'], {
    script: ['(Pdb)', 'p 6 * 7, self.hand\\n', '(Pdb)', 'q\\n'],
  });
  expect(output).toContain('(42, [');
  expect(output).not.toContain('Traceback');
  const raising = bot('raising', decision, `        1 / 0\n${decision}`);
  const after = await kit.terminal(['debug', raising, '--hands', '1', '--seed', '1', '--pdb'], {
    script: ['(Pdb)', 'p self.big_blind * 100\\n', '(Pdb)', 'c\\n'],
  });
  expect(after.output).toContain('1000');
  expect(after.output).toContain('exception: ZeroDivisionError');
});
