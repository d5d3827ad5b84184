import { expect, inject, test } from 'vitest';
import { open, phone, visit } from './visitor.ts';
const world = inject('world');
const laptop = { width: 1366, height: 768 };
const hall = { width: 1920, height: 1080 };
const { match, admin, verified } = world;
test('look', async () => {
  const shots: [string, string, { width: number; height: number }, number, (typeof admin) | undefined][] = [
    ['home', '/', laptop, 5000, undefined], ['home-phone', '/', phone, 4000, undefined],
    ['match', `/games/${match.jobId}`, laptop, 6000, undefined], ['match-phone', `/games/${match.jobId}`, phone, 6000, undefined],
    ['tv', '/tv', hall, 15000, undefined], ['replay', `/replay/${match.gameIds[1]}`, laptop, 2000, undefined], ['replay-phone', `/replay/${match.gameIds[1]}`, phone, 2000, undefined],
    ['leaderboard', '/leaderboard', laptop, 1500, undefined], ['admin', '/admin', laptop, 2500, admin], ['simulation', '/simulation', laptop, 2500, admin],
    ['submission', '/submission', laptop, 2500, verified], ['dashboard', '/dashboard', laptop, 2500, verified],
  ];
  for (const [name, path, size, ms, account] of shots) {
    const page = await visit(null, account ? { account, size } : { size });
    await open(page, path);
    await page.waitForTimeout(ms);
    await page.screenshot({ path: `/tmp/shots/m-${name}.png`, fullPage: !['tv', 'replay'].includes(name) });
    await page.context().close();
  }
}, 400_000);
