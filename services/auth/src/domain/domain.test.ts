import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hashSync } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { blocksMs, knownPlaces, networkPrefix, signInKeys } from './back-off.ts';
import { checkEmail, emailKey } from './email.ts';
import { checkPassword, createPasswords } from './passwords.ts';
import { checkProfile, checkUsername, isReservedName, isStaffName, isUsername, tombstoneName } from './username.ts';

describe('names', () => {
  test('accepts 3 to 32 letters, digits, hyphens and underscores', () => {
    for (const name of ['abc', 'A-b_9', 'x'.repeat(32), 'admin']) expect(checkUsername(name)).toBe(name);
    for (const name of ['ab', 'x'.repeat(33), 'a b c', 'älter', 'a.b.c', 'abc\n', '']) {
      expect(() => checkUsername(name)).toThrow('3 to 32');
    }
  });

  test('reserves the names of the house, its bots and tombstones, ignoring case, but not admin', () => {
    for (const name of ['House', 'PRESSURE', 'tight-aggressive', 'Deleted-1']) expect(isReservedName(name)).toBe(true);
    for (const name of ['admin', 'household', 'deleted']) expect(isReservedName(name)).toBe(false);
  });

  test('reserves the name of each folder of services/runner/bots', () => {
    const folder = join(import.meta.dirname, '../../../runner/bots');
    const bots = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'player.py')));
    expect(bots).toContain('house');
    expect(bots.filter((name) => !isReservedName(name))).toEqual([]);
  });

  test.each([
    'admin Admin ADMIN administrator moderator support root system husky huskyholdem official staff help security mod helpdesk',
    'adm1n 4dm1n admln adrnin admini5trator m0derator r00t sy5tem supp0rt he1p 5taff officia1 hu5ky huskyh0ldem 5ecurity',
    'ad-min a_d_m_i_n _admin_ --root-- husky-holdem husky_holdem-official the-admin real_admin admin-team team-husky',
    'admin1 admin_2 1admin support24 root-1 5upport99 0fficial7 husky-bot huskysupport site-support global_moderator',
    'anna-admin admin_anna annaAdmin adminAnna moderator-bob staff-anna anna_official anna-5taff superadmin sysadmin',
  ])('reserves what looks like staff: %s', (names) => {
    expect(names.split(' ').filter((name) => !isStaffName(name))).toEqual([]);
  });

  test.each([
    'admiral badminton adm add-minus helper helpful helmut rooter roots square-root root-finder systematic ecosystem',
    'staffan stafford flagstaff falstaff unofficial officer support-vector supper security-blanket secure huskies',
    'husky-fan huskylover mode model modern modulo mod-squad moderate moderato team-a theo real-madrid -1-1 x-1 bot-7 anna bob_42',
  ])('leaves ordinary names free: %s', (names) => {
    expect(names.split(' ').filter(isStaffName)).toEqual([]);
  });

  test('makes tombstone names that are valid names', () => {
    const id = '12345678-9abc-4def-8123-456789abcdef';
    expect(tombstoneName(id)).toBe('deleted-12345678');
    expect(isUsername(tombstoneName(id, 'long'))).toBe(true);
  });
});

describe('e-mail addresses', () => {
  test('accepts ordinary ones and trims them', () => {
    for (const email of ['a@b.co', 'first.last+tag@sub.example.org', "o'neil@example.com", 'x@xn--bcher-kva.example']) {
      expect(checkEmail(` ${email} `)).toBe(email);
    }
  });

  test.each([
    ['user@bücher.example', 'user@xn--bcher-kva.example'],
    ['User@BÜCHER.Example', 'User@xn--bcher-kva.example'],
    ['user@bu\u0308cher.example', 'user@xn--bcher-kva.example'],
    ['user@straße.example', 'user@xn--strae-oqa.example'],
    ['user@例え。テスト', 'user@xn--r8jz45g.xn--zckzah'],
    ['user@почта.рф', 'user@xn--80a1acny.xn--p1ai'],
  ])('converts the domain of %s', (email, ascii) => {
    expect(checkEmail(email)).toBe(ascii);
    expect(emailKey(email)).toBe(ascii.toLowerCase());
    expect(emailKey(ascii.toUpperCase())).toBe(ascii.toLowerCase());
  });

  test.each([
    ['üser@example.org', 'before the @ only letters without accents, digits and signs are possible'],
    ['用户@例え.テスト', 'before the @ only letters'],
    ['user@bücher', 'after the @ it needs a domain such as example.org'],
    ['user@bü cher.example', 'after the @ it needs a domain'],
    ['user@ü/x.example', 'after the @ it needs a domain'],
    ['user@ü%2ea.example', 'after the @ it needs a domain'],
    ['user@ü_x.example', 'after the @ it needs a domain'],
    ['user@ü\u202ex.example', 'after the @ it needs a domain'],
    [`user@${'ü'.repeat(64)}.example`, 'after the @ it needs a domain'],
    ['user＠example.org', 'Please give a valid e-mail address'],
  ])('says what is wrong with %s', (email, why) => {
    expect(() => checkEmail(email)).toThrow(why);
  });

  test('refuses text that is no address or could end a mail header', () => {
    const bad = [
      '',
      '@',
      'a@',
      '@b.co',
      'a@b',
      'a b@c.de',
      'a@b..co',
      '.a@b.co',
      'a.@b.co',
      'a@-b.co',
      'a@b.co\nBcc: x@y.z',
    ];
    for (const email of [
      ...bad,
      `${'x'.repeat(65)}@b.co`,
      '"a"@b.co',
      'a@b@c.de',
      'ä@b.co',
      'a@b.co,c@d.ef',
      '<a@b.co>',
    ]) {
      expect(() => checkEmail(email), email).toThrow('valid e-mail');
    }
  });
});

test('counts a password in characters, not in bytes', async () => {
  await expect(checkPassword('🂡'.repeat(8))).resolves.toBeUndefined();
  await expect(checkPassword('🂡'.repeat(7))).rejects.toThrow('this one has 7');
  await expect(checkPassword('🂡'.repeat(128))).resolves.toBeUndefined();
  await expect(checkPassword('x'.repeat(129))).rejects.toThrow('this one has 129');
  await expect(checkPassword('ä'.repeat(7).normalize('NFD'))).rejects.toThrow('this one has 7');
  await expect(checkPassword('ä'.repeat(128).normalize('NFD'))).resolves.toBeUndefined();
});

test('refuses leaked passwords, ignoring case and punctuation around them', async () => {
  for (const password of ['password', 'PASSWORD123', '!!Sunshine1!!', 'qwertyuiop', 'P@ssw0rd', '12345678']) {
    await expect(checkPassword(password), password).rejects.toThrow('lists of stolen passwords');
  }
  for (const password of ['correct horse', 'a long enough passphrase', '!!!!!!!!?', 'q7#Vt0z-kk', '🂡'.repeat(8)]) {
    await expect(checkPassword(password), password).resolves.toBeUndefined();
  }
});

test('trims profile fields, turns empty ones into null and allows line breaks only in about', () => {
  expect(checkProfile({ name: ' A ', github: '  ', about: 'a\r\nb' })).toEqual({
    name: 'A',
    github: null,
    about: 'a\nb',
  });
  for (const name of ['a\nb', 'a\u0000b', 'a\u202eb', 'a\u2028b'])
    expect(() => checkProfile({ name })).toThrow('control');
  expect(() => checkProfile({ about: 'a\u0007b' })).toThrow('control');
});

test('doubles the wait with each failure beyond the free ones, up to a bound', () => {
  const blocks = (maxBlockMs: number) => blocksMs({ freeFailures: 5, maxBlockMs, ttlMs: 1 });
  expect(blocks(60_000)).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000]);
  expect(blocks(16_000)).toEqual([2000, 4000, 8000, 16_000]);
  expect(blocks(900_000).slice(-2)).toEqual([512_000, 900_000]);
});

test('a sign-in with a better proof skips the counters that others can use up, and addresses of an IPv6 /64 share one', () => {
  const hex = (keys: readonly { key: Uint8Array }[]) => keys.map(({ key }) => Buffer.from(key).toString('hex'));
  const origin = { address: '2001:db8:1:2::7', device: 'a device' };
  const [device, address, network, none] = (['device', 'address', 'network', 'none'] as const).map((proof) =>
    hex(signInKeys(proof, 'alice', origin)),
  );
  expect(none?.slice(0, 2)).toEqual(network);
  expect(network?.slice(0, 1)).toEqual(address);
  expect([device, address, network, none].map((keys) => keys?.length)).toEqual([1, 1, 2, 3]);
  expect(none).not.toContain(device?.[0]);
  expect(hex(signInKeys('address', 'alice', { ...origin, address: '2001:db8:1:2::8' }))).toEqual(address);
  expect(hex(signInKeys('address', 'alice', { ...origin, address: '2001:db8:1:3::7' }))).not.toEqual(address);
  const places = (at: string) => Object.values(knownPlaces('alice', at)).map((key) => Buffer.from(key).toString('hex'));
  expect(new Set([...places('192.0.2.1'), ...places('192.0.2.2')]).size).toBe(3);
});

test('treats the addresses of a /24 or a /48 as one network', () => {
  expect(networkPrefix('192.0.2.77')).toBe('192.0.2');
  expect(networkPrefix('::ffff:192.0.2.77')).toBe('192.0.2');
  expect(networkPrefix('2001:db8:1:2::7')).toBe('2001:db8:1');
  expect(networkPrefix('2001:0DB8:0001::')).toBe('2001:db8:1');
  expect(networkPrefix('')).toBe('');
});

test('hashes at the configured cost and verifies nothing without a stored hash', async () => {
  const passwords = await createPasswords({ memoryKib: 64, passes: 1, lanes: 1 });
  const stored = await passwords.hash('correct horse', 'stranger');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
  expect(await passwords.verify(stored, 'correct horse')).toBe('right');
  expect(await passwords.verify(stored, 'Correct horse', 'stranger')).toBe('wrong');
  expect(await passwords.verify(undefined, 'correct horse')).toBe('wrong');
  await expect(passwords.verify('no hash at all', 'correct horse')).rejects.toThrow('could not be hashed');
  await passwords.close();
  expect(await passwords.verify(stored, 'correct horse')).toBe('right');
  await passwords.close();
});

test('compares passwords in one Unicode form, and finds hashes that are to be replaced', async () => {
  const [composed, decomposed] = ['pässwörter'.normalize('NFC'), 'pässwörter'.normalize('NFD')];
  const passwords = await createPasswords({ memoryKib: 64, passes: 1, lanes: 1 });
  const costly = await createPasswords({ memoryKib: 32, passes: 1, lanes: 1 });
  for (const typed of [composed, decomposed]) {
    const stored = await passwords.hash(typed);
    for (const again of [composed, decomposed]) expect(await passwords.verify(stored, again)).toBe('right');
    expect(await passwords.verify(stored, 'passworter')).toBe('wrong');
    expect(await costly.verify(stored, typed)).toBe('outdated');
  }
  const asTyped = hashSync(decomposed, { memoryCost: 64, timeCost: 1, parallelism: 1 });
  expect(await passwords.verify(asTyped, decomposed)).toBe('outdated');
  expect(await passwords.verify(asTyped, composed)).toBe('wrong');
  expect(await passwords.verify(undefined, decomposed)).toBe('wrong');
  await Promise.all([passwords.close(), costly.close()]);
});
