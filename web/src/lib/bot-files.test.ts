// @vitest-environment happy-dom

import type { PublicFacts } from '@husky/match/commitment';
import { describe, expect, it, test } from 'vitest';
import {
  checkBotFile,
  decodeSource,
  drawNonce,
  isBotFileName,
  keepNonce,
  MAX_FILE_BYTES,
  ownNonce,
} from './bot-files.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

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
  it('leaves what may load and what tools write to the server', () => {
    expect(checkBotFile('player.py', bytes('SimplePlayer = make()\n'))).toEqual([]);
    expect(checkBotFile('requirements.txt', bytes('-e .\na==1 \\\n    --hash=sha256:00\n'))).toEqual([]);
    expect(checkBotFile('player.py', bytes('exec(packed)\n'))).toEqual([]);
  });
  it('refuses an empty player.py but accepts an empty requirements.txt', () => {
    expect(checkBotFile('player.py', bytes(' \n'))).toEqual([{ level: 'error', text: 'player.py is empty' }]);
    expect(checkBotFile('requirements.txt', bytes(''))).toEqual([]);
  });
  it('refuses more than 1 MiB and accepts exactly 1 MiB', () => {
    for (const name of ['player.py', 'requirements.txt'] as const) {
      const large = new Uint8Array(MAX_FILE_BYTES + 1).fill(35);
      expect(checkBotFile(name, large)).toEqual([{ level: 'error', text: `${name} is larger than 1 MiB` }]);
      expect(checkBotFile(name, large.subarray(1)).filter(({ level }) => level === 'error')).toEqual([]);
    }
  });
});

describe('the preview of a file', () => {
  it.each([
    ['UTF-8', bytes('# é'), '# é'],
    ['UTF-8 with a mark', bytes('\ufeff# é'), '# é'],
    ['UTF-16', latin1('\xff\xfe#\x00\xe9\x00'), '#é'],
    ['latin-1', latin1('# -*- coding: latin-1 -*-\n# \xe9'), '# -*- coding: latin-1 -*-\n# é'],
    ['Emacs', latin1('# coding: iso_8859_1-unix\n# \xe9'), '# coding: iso_8859_1-unix\n# é'],
    ['the second line', latin1('#!python\r\n# coding=cp1252\r\n# \x80'), '#!python\r\n# coding=cp1252\r\n# €'],
    ['gb18030', latin1('# coding: gb18030\n# \xc4\xe3'), '# coding: gb18030\n# 你'],
    ['shift_jis', latin1('# coding: shift_jis\n# \x95\x5c'), '# coding: shift_jis\n# 表'],
    ['a bad byte', latin1('# \xe9'), null],
    ['a line too late', latin1('x\n# coding: latin-1\n# \xe9'), null],
    ['an unknown name', bytes('# coding: cp437\n'), null],
  ])('decodes %s', (_what, data, text) => {
    expect(decodeSource(data)).toBe(text);
  });
});

// The example of docs/fairness.md.
const botHash = 'cc613637f5d4820a9a106735405bd2c788b5e514c24bea81a9f98ef7c28f2b55';

test('says of a match with an own bot whether its cards depend on the nonce of the upload', async () => {
  const nonce = drawNonce();
  expect(nonce).toMatch(/^[0-9a-f]{64}$/);
  expect(drawNonce()).not.toBe(nonce);
  localStorage.setItem('nonces', '{damaged');
  await keepNonce(nonce, new File(['print("hello")\n'], 'player.py'), new File(['example\n'], 'requirements.txt'));
  const said = (seat: object, seeds: object | undefined = { list: 1, number: 1 }) =>
    ownNonce({ roster: [seat], seeds } as unknown as PublicFacts, 0);
  expect(said({ botHash, nonce })).toBe('The cards depend on the nonce of your upload.');
  const missing = 'The nonce of your upload is missing: the cards do not depend on it.';
  for (const other of [{}, { nonce: '0'.repeat(64) }]) expect(said({ botHash, ...other })).toBe(missing);
  expect(said({ botHash: 'another', nonce })).toBeNull();
  expect(ownNonce({ roster: [{ botHash }] } as unknown as PublicFacts, 0)).toBeNull();
});
