// docs/ladder.py, which computes the ladder's ratings with other algebra.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ladder } from '@husky/estimate/ladder';
import { seededRandom } from '@husky/estimate/random';
import { expect, onTestFinished, test } from 'vitest';
import { runDocsScript } from './test/docs-script.ts';

/** Runs the script on a site with these answers. */
async function printed(sets: string, entries: readonly object[]): Promise<{ status: number; text: string }> {
  const server = createServer(({ url = '' }, response) => {
    const isPage = url.startsWith('/ladder?');
    response.end(isPage ? JSON.stringify({ entries, has_next: false }) : url.endsWith('after=0') ? sets : '');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return runDocsScript('ladder.py', origin);
}

test('computes ratings, intervals and counts across versions, and names the first that differs', async () => {
  const random = seededRandom(7);
  const ladder = Ladder.empty(10);
  const versions = new Map(Array.from({ length: 9 }, (_, index) => [`user${index}`, 1]));
  const names = [...versions.keys()];
  const lines = ['set,ended_at,hands,username,version,predecessor,value'];
  for (let set = 1; set <= 80; set++) {
    // A new version every ten sets; a set without hands rates nobody.
    if (set % 10 === 0) versions.set(names[set % 9] as string, (versions.get(names[set % 9] as string) ?? 0) + 1);
    const hands = set % 33 === 0 ? 0 : 300;
    const seats = names
      .toSorted(() => random() - 0.5)
      .slice(0, 6)
      .map((name) => {
        const version = versions.get(name) as number;
        const predecessor = version > 1 ? `${name} ${version - 1}` : null;
        const value = Math.round((random() - 0.5 + names.indexOf(name) / 20) * 200_000) / 100;
        lines.push([set, '', hands, name, version, version > 1 ? version - 1 : '', value].join());
        return { player: `${name} ${version}`, predecessor, value };
      });
    if (hands > 0) ladder.add({ hands, seats });
    for (const { predecessor } of seats) if (predecessor !== null) ladder.retire(predecessor);
  }
  const field = [...versions].map(([name, version]) => ({ player: `${name} ${version}` }));
  const entries = ladder
    .ratings(field)
    .filter(({ sets }) => sets > 0)
    .map(({ player, ...figures }) => ({
      username: player.split(' ')[0],
      version: Number(player.split(' ')[1]),
      ...figures,
    }));
  const csv = `${lines.join('\r\n')}\r\n`;
  expect(await printed(csv, entries)).toEqual({
    status: 0,
    text: `80 sets: rating, interval, sets and hands of ${entries.length} players are equal\n`,
  });
  const [first, ...rest] = entries;
  const changed = await printed(csv, [{ ...first, low: (first?.low ?? 0) + 1e-3 }, ...rest]);
  expect(changed).toMatchObject({
    status: 1,
    text: expect.stringMatching(/^low of user\d, version \d+: the site says/),
  });
  expect((await printed(csv.replaceAll('\r\n5,', '\r\n4,'), entries)).status).toBe(1);
});
