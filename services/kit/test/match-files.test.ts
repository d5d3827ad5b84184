// `husky verify`, `replay` and `stats` on the match file of a `husky play`, and on damaged and changed copies of it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonlWriter } from '@husky/match/match-file';
import { partsOf, storedMatchFile } from '@husky/testkit/stored-match-file';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalKit, localKit } from './local-kit.ts';

const timeoutMs = 300_000;
let kit: LocalKit;
let lines: string[];

beforeAll(async () => {
  kit = await localKit();
  lines = readFileSync(join(kit.folder, 'results/match.jsonl'), 'utf8').trimEnd().split('\n');
}, timeoutMs);

afterAll(() => kit?.remove());

function write(name: string, content: readonly string[]): string {
  writeFileSync(join(kit.folder, name), `${content.join('\n')}\n`);
  return name;
}

/** Returns the lines of the match file with one line changed. */
function changed(index: number, change: (value: Record<string, unknown>) => void): string[] {
  const value = JSON.parse(lines[index] ?? '') as Record<string, unknown>;
  change(value);
  return lines.with(index, JSON.stringify(value));
}

test('verify deals a match again', { timeout: timeoutMs }, async () => {
  const { code, stdout, stderr } = await kit.husky(['verify', 'results/match.jsonl']);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^Verified: all 60 hands and [\d,]+ actions follow from the committed seed\.\n/);
  expect(stdout).toMatch(/\nNot covered:\n(- .+: .+\n)+$/);
  // The id of a local bot is its name.
  expect(stdout).not.toContain('names of players');
  expect(code).toBe(0);
  const json = await kit.husky(['verify', 'results/match.jsonl', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ verified: true, hands: 60, record: null });
});

test('verify names the first difference in a match that was changed', { timeout: timeoutMs }, async () => {
  const cases: readonly [string[], RegExp][] = [
    [changed(17, (hand) => swapCards(hand)), /Hand 17: cards of seat 1: expected .., found|Hand 17: cards of seat 1/],
    [changed(9, ({ game_data: game }) => raiseBlind(game)), /Hand 9: action 1: expected RAISE 5 by seat/],
    [lines.toSpliced(30, 1), /Hand 30: it is missing: hand 31 follows/],
    [changed(0, (manifest) => Object.assign(manifest, { seed: 'ab'.repeat(32) })), /Hash of the seed/],
    [
      changed(0, (manifest) => Object.assign((manifest.players as object[])[0] ?? {}, { bot_hash: '00' })),
      /players\.0\.bot_hash: expected/,
    ],
    [changed(61, (end) => Object.assign(end, { play_digest: '00' })), /play_digest: expected/],
  ];
  for (const [content, reason] of cases) {
    const { code, stdout, stderr } = await kit.husky(['verify', write('changed.jsonl', content)]);
    expect(stderr).toMatch(/^husky: changed\.jsonl is not verified\. [^\n]+\n$/);
    expect(stderr).toMatch(reason);
    expect([code, stdout]).toEqual([1, '']);
  }
});

function swapCards({ game_data: game }: Record<string, unknown>): void {
  const hands = (game as { playerHands: Record<string, string[]> }).playerHands;
  hands['0']?.reverse();
}

function raiseBlind(game: unknown): void {
  const blind = (game as { rounds: { 0: { action_sequence: { amount: number }[] } } }).rounds[0].action_sequence[0];
  if (blind !== undefined) blind.amount += 1;
}

test('a file that is no complete match is refused with one sentence and code 2', { timeout: timeoutMs }, async () => {
  const otherRules = changed(0, (manifest) =>
    Object.assign(manifest, { rules_version: 99, source: 'https://poker.test/games/x' }),
  );
  const cases: readonly [string, RegExp][] = [
    [write('cut.jsonl', lines.slice(0, 20)), /cut\.jsonl is cut off after hand 19 of 60: download it again\./],
    [write('half.jsonl', [...lines.slice(0, 20), '{"type":"hand","ha']), /Line 21 of half\.jsonl is not a hand\./],
    [write('other.jsonl', ['{"name":"ann"}']), /other\.jsonl is not a match file: its first line is no manifest\./],
    [write('text.jsonl', ['hello']), /is not a match file/],
    [write('poker.phhs', ['# manifest {}']), /is not a match file: its first line is no manifest/],
    [
      write('rules.jsonl', otherRules),
      /rules version 99; this kit knows those up to 3\. Install .*https:\/\/poker\.test\/kit/,
    ],
    [write('batch.zip', ['PK']), /is not a complete zip archive/],
    ['results', /is a folder/],
    ['nothing.jsonl', /nothing\.jsonl cannot be read: there is no such file/],
  ];
  for (const [file, reason] of cases) {
    const { code, stdout, stderr } = await kit.husky(['verify', file]);
    expect(stderr).toMatch(/^husky: [^\n]+\.\n$/);
    expect(stderr).toMatch(reason);
    expect([code, stdout]).toEqual([2, '']);
  }
  writeFileSync(join(kit.folder, 'bytes.jsonl'), Buffer.from([0xff, 0xfe, 0x80]));
  for (const command of ['verify', 'replay', 'stats']) {
    const { code, stderr } = await kit.husky([command, 'bytes.jsonl']);
    expect(stderr).toMatch(/^husky: bytes\.jsonl is not a match file[^\n]*\n$/);
    expect(code).toBe(2);
  }
});

test('replay lists hands and shows one street by street', { timeout: timeoutMs }, async () => {
  const list = await kit.husky(['replay', 'results/match.jsonl']);
  expect(list.stdout.split('\n')).toHaveLength(63);
  expect(list.stdout.split('\n')[1]).toMatch(/^ +hand +pot +ended +won$/);
  const game = (JSON.parse(lines[12] ?? '') as { game_data: { playerHands: Record<string, string[]> } }).game_data;
  const { stdout, code } = await kit.husky(['replay', 'results/match.jsonl', '--hand', '12']);
  expect(stdout).toMatch(/^Hand 12 {2}blinds 5\/10\n/);
  for (const card of Object.values(game.playerHands).flat()) {
    expect(stdout).toContain(`${card[0]}${{ h: '♥', d: '♦', c: '♣', s: '♠' }[card[1] ?? '']}`);
  }
  expect(code).toBe(0);
  const json = await kit.husky(['replay', 'results/match.jsonl', '--hand', '12', '--json']);
  expect(JSON.parse(json.stdout)).toEqual({ hand: 12, game_data: game });
  const none = await kit.husky(['replay', 'results/match.jsonl', '--hand', '61']);
  expect([none.code, none.stderr]).toEqual([2, 'husky: results/match.jsonl has no hand 61; it has hands 1 to 60.\n']);
});

test('replay writes ASCII where the terminal has no symbols', { timeout: timeoutMs }, async () => {
  const args = ['replay', 'results/match.jsonl', '--hand', '12'];
  const { stdout } = await kit.husky(args, { PYTHONIOENCODING: 'ascii', PYTHONUTF8: '0' });
  expect(stdout).toMatch(/^[\n -~]+$/);
});

test('a pipe that is closed early is no error', { timeout: timeoutMs }, async () => {
  for (const command of ['replay results/match.jsonl', 'stats results/match.jsonl --csv', 'replay --help']) {
    const { stdout, stderr } = await kit.shell(`husky ${command} | head -1`);
    expect([stdout.split('\n').length, stderr]).toEqual([2, '']);
  }
});

test('stats counts what the bots did', { timeout: timeoutMs }, async () => {
  const { stdout, code } = await kit.husky(['stats', 'results/match.jsonl', '--json']);
  expect(code).toBe(0);
  const found = JSON.parse(stdout) as { hands: number; players: Player[] };
  expect(found.hands).toBe(60);
  expect(found.players.map(({ player }) => player)).toEqual(['ann', 'calling-station', 'tight-aggressive']);
  // The calling station never folds and never raises.
  const station = found.players[1]?.figures.filter(({ position, street }) => position === '' && street === '') ?? [];
  const vpip = station.find(({ statistic }) => statistic === 'vpip');
  expect(vpip?.of).toBeGreaterThan(20);
  expect(station.find(({ statistic }) => statistic === 'pfr')?.count).toBe(0);
  expect(found.players.reduce((sum, { chips }) => sum + chips, 0)).toBe(0);
  const csv = await kit.husky(['stats', 'results/match.jsonl', '--player', 'calling-station', '--csv']);
  expect(csv.stdout.split('\n')[0]).toBe('player,statistic,position,street,count,of,value');
  expect(csv.stdout).toContain(`calling-station,vpip,,,${vpip?.count},${vpip?.of},`);
  expect(csv.stdout).not.toContain('ann,');
  const twice = await kit.husky(['stats', 'results/match.jsonl', 'results/match.jsonl']);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('are the same match')]);
});

/** Writes a stored match as the match file of a site; of rules version 1 without the keys that came later. */
function writeStored(matchId: string): string {
  const file = storedMatchFile(matchId, { asOnce: matchId === 'carry-moving-button' });
  writeFileSync(join(kit.folder, `${matchId}.jsonl`), partsOf(file, jsonlWriter).join(''));
  return `${matchId}.jsonl`;
}

test.each([
  ['carry-moving-button', 2],
  ['carry-dead-button', 1],
])(
  'verifies, shows and plays again %s, by the rules of its version',
  { timeout: timeoutMs },
  async (matchId, posts) => {
    const file = writeStored(matchId);
    expect(await kit.husky(['verify', file])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Verified: all 64 hands/),
    });
    // By rules 2 nobody posts the small blind of hand 22.
    const { stdout } = await kit.husky(['replay', file, '--hand', '22']);
    expect(stdout.match(/ posts \d+\n/g)).toHaveLength(posts);
    expect((await kit.husky(['stats', file])).code).toBe(0);
    const bots = Array.from({ length: 6 }, () => 'calling-station');
    const again = await kit.husky(['play', ...bots, '--like', file, '--out', `again-${matchId}`]);
    expect(again.code).toBe(0);
    expect((await kit.husky(['verify', `again-${matchId}/match.jsonl`])).code).toBe(0);
    const [manifest = ''] = readFileSync(join(kit.folder, `again-${matchId}/match.jsonl`), 'utf8').split('\n');
    expect(JSON.parse(manifest)).toMatchObject({ rules_version: matchId === 'carry-dead-button' ? 2 : 1 });
  },
);

interface Player {
  readonly player: string;
  readonly chips: number;
  readonly figures: readonly { statistic: string; position: string; street: string; count: number; of: number }[];
}
