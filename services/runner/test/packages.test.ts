import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPython, LocalHost } from '../bench/local-host.ts';
import { installPackages } from '../bench/packages.ts';
import { play } from './table.ts';

let local: LocalHost;
let packagesDir = '';
let problem = '';
beforeAll(async () => {
  local = await LocalHost.start(findPython());
  packagesDir = join(local.runDir, 'packages', 'science');
  const bot = join(import.meta.dirname, '../fixtures/bots/science');
  await installPackages(bot, packagesDir, findPython()).catch((error: Error) => {
    problem = error.message;
  });
});
afterAll(() => local.stop());

it('bots can import numpy and eval7 from their requirements', async ({ skip }) => {
  if (problem !== '') skip(`uv or a package index is missing: ${problem}`);
  const played = await play(local, ['science', 'pot-odds', 'trivial'], { hands: 40, packagesDir });
  expect(played.reports.map(({ verdict }) => verdict)).toEqual(['', '', '']);
});
