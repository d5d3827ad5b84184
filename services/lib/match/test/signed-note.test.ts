import { noteSigner } from '@husky/testkit/note-signer';
import { describe, expect, it } from 'vitest';
import { checkSignature, SignedLines, signatureOf, withoutSignature, withSignature } from '../src/file-signature.ts';
import {
  fileText,
  followKeys,
  headText,
  keyChangeText,
  type NoteSigner,
  openHead,
  openNote,
  type PublishedKey,
  parseKey,
  signNote,
} from '../src/signed-note.ts';

const [first, second, third, stranger] = [noteSigner(), noteSigner(), noteSigner(), noteSigner()];
const head = { number: 17, hash: 'ab'.repeat(32) };
const signedHead = signNote(headText(first.key.name, head), [first]);

it('opens the example of golang.org/x/mod/sumdb/note', () => {
  const key = parseKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
  const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
  const signature = 'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=';
  expect(openNote(`${text}\n— PeterNeumann ${signature}\n`, [key]).text).toBe(text);
});

it('reads a signed head', () => {
  expect(openHead(signedHead, [stranger.key, first.key])).toEqual({ ...head, key: first.key });
  expect(() => openHead(signedHead, [stranger.key])).toThrow(`${first.key.name}+${first.key.id}, which is not known`);
});

it.each([
  ['another size', signedHead.replace('\n17\n', '\n18\n'), 'is wrong'],
  ['another hash', signedHead.replace(/\n17\n./, '\n17\nA'), 'is wrong'],
  ['another name', signedHead.replaceAll(first.key.name, 'other'), 'is not known here'],
  ['no signature', headText(first.key.name, head), 'no signed note'],
  ['a cut signature', `${signedHead.slice(0, -9)}\n`, 'no signed note|not base64'],
  ['the text of a file', signNote(fileText(first.key.name, 'match', head.hash), [first]), 'no head of a chain'],
  ['the text of a key', signNote(keyChangeText(first.key.name, second.key, 'now'), [first]), 'no head|not base64'],
  ['a size that is no number', signNote(headText(first.key.name, { ...head, number: Number.NaN }), [first]), 'no head'],
])('refuses a head with %s', (_, note, reason) => {
  expect(() => openHead(note, [first.key])).toThrow(new RegExp(reason));
});

describe('a change of keys', () => {
  const changed = (next: NoteSigner, signers: NoteSigner[], name = next.key.name): PublishedKey => ({
    key: next.key.text,
    change: signNote(keyChangeText(name, next.key, '2026-01-01T00:00:00.000Z'), signers),
  });
  const start = { key: first.key.text, change: null };
  const toSecond = changed(second, [first, second]);

  it('is followed over several keys', () => {
    const published = [start, toSecond, changed(third, [second, third])];
    expect(followKeys(first.key, published)).toEqual([first.key, second.key, third.key]);
    expect(followKeys(second.key, published)).toEqual([second.key, third.key]);
    expect(followKeys(stranger.key, published)).toEqual([]);
  });

  it.each<[string, PublishedKey]>([
    ['no note', { key: second.key.text, change: null }],
    ['a note of the new key alone', changed(second, [second])],
    ['a note of the old key alone', changed(second, [first])],
    ['a note of a stranger', changed(second, [stranger, second])],
    ['a note about another key', { key: stranger.key.text, change: toSecond.change }],
    ['a note for another platform', changed(second, [first, second], 'husky-holdem/other')],
  ])('with %s is refused', (_, next) => {
    expect(() => followKeys(first.key, [start, next])).toThrow();
  });
});

describe('the signature of a file', () => {
  const ends = ['{"type":"end","hands":2}\n', '# end {"hands":2}\r\n', '{\n "hands": 2\n}\n', '{"hands":2}'];
  it.each(ends)('is added and taken away without another change: %j', (json) => {
    const signed = withSignature(json, signedHead);
    expect(signatureOf(signed)).toBe(signedHead);
    expect(withoutSignature(signed)).toBe(json);
    expect(signatureOf(json)).toBeNull();
    expect(withoutSignature(json)).toBe(json);
  });

  it('covers each line of a match file, and is of one kind of file', () => {
    const hashOf = (lines: readonly string[]) => {
      const signed = new SignedLines();
      for (const line of lines) signed.add(line, '\n');
      return signed.digest();
    };
    const lines = ['{"type":"manifest"}', '{"type":"hand"}', '{"type":"end"}'];
    const hash = hashOf(lines);
    const signature = signNote(fileText(first.key.name, 'match', hash), [first]);
    const check = (more: object) => checkSignature({ signature, kind: 'match', hash, ...more }, [first.key]);
    expect(check({ hash: hashOf(lines.with(2, withSignature(lines[2] ?? '', signature))) })).toEqual({
      state: 'signed',
      key: first.key.text,
    });
    expect(check({ signature: null }).state).toBe('unsigned');
    expect(check({ signature: signNote(fileText('x', 'match', hash), [stranger]) })).toEqual({
      state: 'unknown-key',
      key: `${stranger.key.name}+${stranger.key.id}`,
    });
    for (const place of lines.keys())
      expect(() => check({ hash: hashOf(lines.with(place, `${lines[place]} `)) })).toThrow('another content');
    expect(() => check({ kind: 'batch' })).toThrow('another content');
    expect(() => check({ signature: signedHead })).toThrow('another content');
  });
});
