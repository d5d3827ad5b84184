import { expect, test } from 'vitest';
import { maxFileBytes, readBotFiles } from './bot-files.ts';

const files = (player: string, requirements = '') => readBotFiles(Buffer.from(player), Buffer.from(requirements));

test("the bot's hash covers both files", () => {
  expect(files('a', 'b').botHash).toBe(files('a', 'b').botHash);
  expect(files('a', 'b').botHash).not.toBe(files('a', 'c').botHash);
  expect(files('ab').botHash).not.toBe(files('a', 'b').botHash);
  expect(files('a').botHash).toMatch(/^[0-9a-f]{64}$/);
});

test('accepts files of exactly 1 MiB and refuses one byte more', () => {
  expect(files('a'.repeat(maxFileBytes), '#'.repeat(maxFileBytes)).player).toHaveLength(maxFileBytes);
  expect(() => files('a'.repeat(maxFileBytes + 1))).toThrow('player.py is larger than 1 MiB.');
  expect(() => files('a', '#'.repeat(maxFileBytes + 1))).toThrow('requirements.txt is larger than 1 MiB.');
});
