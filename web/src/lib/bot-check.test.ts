import { describe, expect, it } from 'vitest';
import { checkBotFile, isBotFileName, MAX_FILE_BYTES } from './bot-check.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const errors = (name: 'player.py' | 'requirements.txt', data: Uint8Array) =>
  checkBotFile(name, data)
    .filter((finding) => finding.level === 'error')
    .map((finding) => finding.text);
const METHODS = ['on_start', 'on_round_start', 'get_action', 'on_end_round', 'on_end_game'];
const GOOD = `class SimplePlayer(Bot):\n${METHODS.map((name) => `    def ${name}(self):\n        pass\n`).join('')}`;

describe('the instant check of an upload', () => {
  it('accepts the two exact names only', () => {
    expect(['player.py', 'requirements.txt', 'Player.py', 'player.py.txt', 'requirements'].map(isBotFileName)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
  it('has no findings for a complete bot', () => expect(checkBotFile('player.py', bytes(GOOD))).toEqual([]));
  it('refuses an empty player.py but accepts an empty requirements.txt', () => {
    expect(errors('player.py', bytes(' \n'))).toEqual(['player.py is empty']);
    expect(checkBotFile('requirements.txt', bytes(''))).toEqual([]);
  });
  it('refuses a player.py without class SimplePlayer', () => {
    expect(errors('player.py', bytes('# class SimplePlayer\nx = 1'))).toEqual(['player.py has no class SimplePlayer']);
    expect(errors('player.py', bytes('class SimplePlayers: pass'))).toEqual(['player.py has no class SimplePlayer']);
  });
  it('warns of methods that are not defined', () => {
    const found = checkBotFile('player.py', bytes('class SimplePlayer:\n    def get_action(self): pass'));
    expect(found).toEqual([
      { level: 'warning', text: 'player.py does not define on_start, on_round_start, on_end_round, on_end_game' },
    ]);
  });
  it('refuses more than 1 MiB and accepts exactly 1 MiB', () => {
    expect(errors('requirements.txt', new Uint8Array(MAX_FILE_BYTES + 1).fill(32))).toEqual([
      'requirements.txt is larger than 1 MiB',
    ]);
    expect(errors('requirements.txt', new Uint8Array(MAX_FILE_BYTES).fill(32))).toEqual([]);
  });
  it('refuses bytes that are not UTF-8', () => {
    expect(errors('player.py', new Uint8Array([0xff, 0xfe, 0x00]))).toEqual(['player.py is not UTF-8 text']);
  });
  it('warns of requirements other than names with versions', () => {
    expect(checkBotFile('requirements.txt', bytes('numpy>=2,<3 # fast\nscipy==1.*\n\n# note\n'))).toEqual([]);
    for (const line of [
      'git+https://x.example/y',
      '-r other.txt',
      './local',
      '--index-url https://x',
      'a @ https://b',
    ]) {
      expect(checkBotFile('requirements.txt', bytes(line))).toHaveLength(1);
    }
    expect(checkBotFile('requirements.txt', bytes('numpy\n'.repeat(51)))).toHaveLength(1);
  });
  it('is fast for a hostile line', () => {
    const started = performance.now();
    checkBotFile('requirements.txt', bytes(`a${' '.repeat(200_000)}!`));
    checkBotFile('requirements.txt', bytes(`a${'>=1,'.repeat(50_000)}!`));
    expect(performance.now() - started).toBeLessThan(500);
  });
});
