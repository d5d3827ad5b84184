import { expect, test } from 'vitest';
import { maxFileBytes, readBotFiles } from './bot-files.ts';

const files = (player: string | Buffer, requirements: string | Buffer = '') =>
  readBotFiles(Buffer.from(player), Buffer.from(requirements));

test("the bot's hash covers both files", () => {
  expect(files('a', 'b').botHash).toBe(files('a', 'b').botHash);
  expect(files('a', 'b').botHash).not.toBe(files('a', 'c').botHash);
  expect(files('ab').botHash).not.toBe(files('a', 'b').botHash);
  expect(files('a').botHash).toMatch(/^[0-9a-f]{64}$/);
});

test('refuses an empty player.py and accepts an empty requirements.txt', () => {
  expect(() => files('')).toThrow('player.py is empty.');
  expect(files('a').requirements.lines).toEqual([]);
});

test('refuses files above 1 MiB', () => {
  expect(files('a'.repeat(maxFileBytes)).player).toHaveLength(maxFileBytes);
  expect(() => files('a'.repeat(maxFileBytes + 1))).toThrow('player.py is larger than 1 MiB.');
  expect(() => files('a', '#'.repeat(maxFileBytes + 1))).toThrow('requirements.txt is larger than 1 MiB.');
});

test('refuses invalid UTF-8 and null bytes, naming file and line', () => {
  expect(() => files(Buffer.from([0x61, 0xff]))).toThrow('player.py is not a UTF-8 text file.');
  expect(() => files('a', Buffer.from([0xc3]))).toThrow('requirements.txt is not a UTF-8 text file.');
  expect(() => files('a\nb\0c')).toThrow('player.py contains a null byte in line 2.');
});
