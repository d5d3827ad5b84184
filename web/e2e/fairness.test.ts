import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '@husky/match/commitment';
import { expect, inject, test } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import { savedText } from './admin-steps.ts';
import { waitForIdle } from './load.ts';
import { visibleText, visit } from './visitor.ts';
import { endOfMatch, registerVerified, startMatch, submit } from './world.ts';

const { origin, admin, bots } = inject('world');
const api = new Api(origin);

test("a match's page shows the commitment during the match, and afterwards the seed that matches it", async () => {
  const slow = await registerVerified(api, admin, `slow-fair-${process.pid}`);
  await submit(api, slow, 'slow', true);
  const jobId = await startMatch(api, admin, [slow, ...bots.filter((bot) => bot.username !== 'coin-flipper')], 600);
  const page = await visit(`/games/${jobId}`, { account: admin });
  const panel = page.getByRole('region', { name: 'Fair cards' });
  const shown = async () => (await visibleText(panel)).replaceAll('\n', ' ');
  await panel.getByText('Published when the match is over.').waitFor();
  await expect.poll(shown).toMatch(/Commitment ?[0-9a-f]{64}[\s\S]*record [\d,]+ of the chain/);
  const early = await shown();
  await panel.getByText('Input of the commitment, without the seed').click();
  const facts = JSON.parse(await visibleText(panel.locator('pre')));
  expect(facts.roster).toHaveLength(6);

  await endOfMatch(api, admin, jobId);
  const verify = panel.getByRole('button', { name: 'Verify' });
  // The button and the seed appear together.
  await verify.waitFor({ timeout: 40_000 });
  const [commitment, seed] = (await shown()).match(/\b[0-9a-f]{64}\b/g) ?? [];
  expect(early).toContain(commitment);
  const input = canonicalJson({ ...facts, seed });
  expect(createHash('sha256').update(input).digest('hex')).toBe(commitment);
  expect(await shown()).toContain(`python3 verify_match.py ${origin} ${jobId}`);

  await verify.click();
  const proved = /^[1-9]\d* hands re-dealt from the committed seed: all cards, actions and payouts are right[.]$/;
  await panel.getByText(proved).waitFor({ timeout: 60_000 });
});

test('the page about fair cards shows the head of the chain and offers the script', async () => {
  const page = await visit(`/games/${inject('world').match.jobId}`);
  // What loads above the link moves it.
  await waitForIdle(page);
  await page.getByRole('link', { name: 'How to check this match' }).click();
  await page.getByRole('heading', { name: 'Check that a match was dealt fairly' }).waitFor();
  const { head } = (await (await fetch(`${origin}/live/commitments?limit=1`)).json()) as { head: { number: number } };
  const shownHead = /(\d+):[0-9a-f]{64}/.exec(
    await visibleText(page.getByRole('region', { name: 'Current head of the chain' })),
  );
  expect(Number(shownHead?.[1])).toBeGreaterThan(0);
  expect(Number(shownHead?.[1])).toBeLessThanOrEqual(head.number);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download verify_match.py' }).click();
  const script = readFileSync(join(import.meta.dirname, '../../docs/verify_match.py'), 'utf8');
  expect(await savedText(await download)).toBe(script);
  await page.getByRole('link', { name: 'Fair cards' }).waitFor();
});
