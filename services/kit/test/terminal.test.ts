// The command line as a whole: terminals, colours, narrow windows, full disks, Ctrl-C.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalKit, localKit } from './local-kit.ts';

const timeoutMs = 300_000;
const sgr = '\u001b[';
const commands = [
  'new',
  'check',
  'debug',
  'play',
  'trial',
  'replay',
  'verify',
  'stats',
  'completion',
  'about',
  'author',
  'bench',
];
const withSite = ['login', 'logout', 'submit', 'test', 'jobs', 'logs', 'download', 'challenge', 'tournament'];
let kit: LocalKit;

beforeAll(async () => {
  kit = await localKit();
}, timeoutMs);

afterAll(() => kit?.remove());

test('every command has help with examples', { timeout: timeoutMs }, async () => {
  const all = await kit.husky(['--help']);
  for (const command of [...commands, ...withSite]) {
    expect(all.stdout).toMatch(new RegExp(`^ {4}${command}\\b`, 'm'));
    const { code, stdout, stderr } = await kit.husky([command, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`examples:\\n(.*\\n)*? {2}.*husky ${command}`));
  }
  const { code, stderr } = await kit.husky(['replai']);
  expect(code).toBe(2);
  expect(stderr).toContain("invalid choice: 'replai'");
});

test('colours appear on a terminal only, and not with NO_COLOR or --no-color', { timeout: timeoutMs }, async () => {
  const args = ['replay', 'results/match.jsonl', '--hand', '3'];
  const coloured = await kit.terminal(args);
  expect(coloured.code).toBe(0);
  expect(coloured.output).toContain(`${sgr}31m`);
  for (const plain of [
    await kit.terminal(args, { env: { NO_COLOR: '1' } }),
    await kit.terminal([...args, '--no-color']),
  ]) {
    expect(plain.output).toContain('Hand 3');
    expect(plain.output).not.toContain(sgr);
  }
  expect((await kit.husky(args)).stdout).not.toContain(sgr);
});

test('commands work in a narrow terminal', { timeout: timeoutMs }, async () => {
  for (const args of [['replay', 'results/match.jsonl', '--hand', '3'], ['stats', 'results/match.jsonl'], ['--help']]) {
    const { code, output } = await kit.terminal(args, { columns: 30 });
    expect([code, output.includes('Traceback')]).toEqual([0, false]);
  }
});

test('--json prints one document, in a terminal too', { timeout: timeoutMs }, async () => {
  const cases = [
    ['about'],
    ['new', 'from-json'],
    ['check', 'ann', '--hands', '5'],
    ['debug', 'ann', '--hands', '2'],
    ['play', 'ann', 'house', '--hands', '20'],
    ['replay', 'results/match.jsonl'],
    ['verify', 'results/match.jsonl'],
    ['stats', 'results/match.jsonl'],
    ['completion', 'bash'],
  ];
  for (const args of cases) {
    const { code, output } = await kit.terminal([...args, '--json']);
    expect(code, args.join(' ')).toBe(0);
    expect(() => JSON.parse(output), args.join(' ')).not.toThrow();
  }
  const { code, stdout } = await kit.husky(['verify', 'nothing', '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([2, { error: expect.stringContaining('nothing'), code: 2 }]);
});

test('bash completes commands, options and files', { timeout: timeoutMs }, async () => {
  await kit.shell('husky completion bash > completion.sh');
  const complete = async (...words: string[]) => {
    const line = `COMP_WORDS=(husky ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`;
    const { stdout } = await kit.shell(
      `bash -c "source ./completion.sh; ${line}; _shtab_husky; printf '%s ' \\"\\\${COMPREPLY[@]}\\""`,
    );
    return stdout.trim();
  };
  expect(await complete('ver')).toBe('verify');
  expect(await complete('debug', '--keep')).toBe('--keep-going');
  expect(await complete('verify', 'fir')).toBe('first.py');
});

test('a full disk leaves nothing behind', { timeout: timeoutMs }, async () => {
  // Writes of more than 0 blocks fail, as they do on a full disk.
  const small = await kit.shell('ulimit -f 0; exec husky new full');
  expect(small.code).toBe(2);
  expect(small.stderr).toMatch(/^husky: full cannot be made: [^\n]+\n$/);
  expect(readdirSync(kit.folder).filter((name) => name.includes('full') || name.startsWith('.husky'))).toEqual([]);
  for (const command of ['replay results/match.jsonl', 'stats results/match.jsonl --csv', 'about --json']) {
    const { code, stderr } = await kit.shell(`husky ${command} > /dev/full`);
    expect(stderr, command).toMatch(/^husky: [^\n]*No space left on device[^\n]*\n$/);
    expect(code).toBe(2);
  }
});

/** Returns the ids of the processes whose command lines contain a text. */
function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false; // It has ended.
      }
    });
}

test('Ctrl-C ends a running command with 130 and leaves no process and no file', { timeout: timeoutMs }, async () => {
  const slow = readFileSync(join(kit.folder, 'first.py'), 'utf8').replace(
    '        my_bet = round_state',
    '        print("thinking", flush=True)\n        import time\n\n        time.sleep(60)\n        my_bet = round_state',
  );
  mkdirSync(join(kit.folder, 'slow'));
  writeFileSync(join(kit.folder, 'slow/player.py'), slow);
  const temporary = join('/tmp', `husky-cc-${process.pid}`);
  mkdirSync(temporary);
  const dealer = join(temporary, 'dealer.mjs');
  const python = await kit.shell('python -c "import husky_holdem.paths as paths; print(paths.data_folder())"');
  copyFileSync(join(python.stdout.trim(), 'dealer.mjs'), dealer);
  const env = { HUSKY_DEALER: dealer, TMPDIR: temporary };
  const before = readdirSync(kit.folder).sort();
  const cases: readonly [string[], string][] = [
    [['debug', 'slow', '--hands', '1', '--seed', '3'], 'thinking'],
    [['check', 'slow'], 'five methods'],
    [['play', 'slow', 'house', '--out', 'never'], 'sandbox'],
  ];
  for (const [args, text] of cases) {
    const { code, output } = await kit.terminal(args, { env, script: [text, '\\x03'] });
    expect(output, args[0]).toContain('husky: stopped by Ctrl-C');
    expect(output).not.toContain('Traceback');
    expect(code).toBe(130);
    expect(processesWith(dealer)).toEqual([]);
    expect(readdirSync(temporary)).toEqual(['dealer.mjs']);
  }
  expect(readdirSync(kit.folder).sort()).toEqual(before);
  expect(existsSync(join(kit.folder, 'never'))).toBe(false);
  await kit.shell(`rm -r ${temporary}`);
});
