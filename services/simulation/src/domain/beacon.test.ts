import { quicknet } from '@husky/match/beacon';
import { expect, test } from 'vitest';
import { readBeacon } from './beacon.ts';

const info = {
  hash: 'a'.repeat(64),
  public_key: 'b'.repeat(192),
  genesis_time: 1_700_000_000,
  period: 30,
  schemeID: 'x',
};

test('reads the relays and the chain of a beacon, and refuses what is none', () => {
  expect(readBeacon('', '')).toBeNull();
  const urls = ['https://api.drand.sh', 'https://drand.cloudflare.com'];
  expect(readBeacon(` ${urls.join(' , ')},`, '')).toEqual({ urls, chain: quicknet });
  expect(readBeacon('https://a.test', JSON.stringify(info))?.chain).toEqual({
    hash: info.hash,
    publicKey: info.public_key,
    genesis: info.genesis_time,
    period: 30,
  });
  expect(() => readBeacon('api drand', '')).toThrow('BEACON_URLS: api drand is no URL');
  for (const chain of [
    '{',
    '[]',
    'null',
    ...Object.keys(info)
      .slice(0, 4)
      .map((key) => JSON.stringify({ ...info, [key]: 0 })),
  ])
    expect(() => readBeacon('https://a.test', chain), chain).toThrow('BEACON_CHAIN: ');
});
