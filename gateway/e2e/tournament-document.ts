// The document of a tournament, checked as the page does, and by docs/tournament.py.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import type { OwnPlatform } from '../../scripts/up/own-platform.ts';
import { checkTournament } from '../../web/src/features/tournaments/check-tournament.ts';
import type { Body } from './client.ts';

/** Expects that the document of a finished tournament of two stages is right, and that each change of it is refused. `played`: the tournament. */
export async function checkDocument(own: OwnPlatform, text: string, played: Body): Promise<void> {
  const document = JSON.parse(text) as Body;
  const { keys } = await new Api(own.origin).get<Body>('/live/signed-head');
  const keyTexts = keys.map(({ key }: Body) => key);
  const sentences = checkTournament(text, keyTexts);
  expect(sentences).toHaveLength(5);
  expect(sentences).toContain('The document is signed by the site.');
  // An independent script recomputes it from the archives of the stages.
  const archives = await Promise.all(
    played.stages.map(async ({ batch_number: number }: Body) => {
      const path = join(own.dataDir, `batch-${number}.zip`);
      const response = await fetch(`${own.origin}/batches/${number}/download`);
      await writeFile(path, new Uint8Array(await response.arrayBuffer()));
      return path;
    }),
  );
  const recompute = (changed: string) => {
    const path = join(own.dataDir, 'tournament.json');
    writeFileSync(path, changed);
    const script = join(import.meta.dirname, '../../docs/tournament.py');
    const { stdout, stderr } = spawnSync('python3', [script, path, ...archives], { encoding: 'utf8' });
    return stdout + stderr;
  };
  expect(recompute(text)).toContain(`champion: ${played.champion}`);
  const moved = structuredClone(document);
  const [first, , , , , last] = moved.stages[1].results;
  [first.delta, last.delta] = [last.delta, first.delta];
  expect(recompute(JSON.stringify(moved))).toContain('NOT VERIFIED: Final: other winnings');
  const tampered: [change: (body: Body) => void, words: string][] = [
    [(body) => Object.assign(body, moved), 'ranking of stage Final'],
    [
      ({ list }) => Object.assign(list, { text: list.text.replace(/"botHash":"./, '"botHash":"_') }),
      'text of the list',
    ],
    [({ names: [name] }) => Object.assign(name, { name: 'somebody' }), 'name somebody'],
    [({ stages: [stage] }) => Object.assign(stage, { text: `${stage.text} ` }), 'text of the plan of stage Groups'],
    [
      ({ stages: [one, other] }) => Object.assign(one, { text: other.text, record: other.record }),
      'record of the plan',
    ],
    [({ stages: [stage] }) => stage.results.pop(), 'players of stage Groups'],
    [({ stages: [stage] }) => Object.assign(stage.results[5], { advances: false }), 'ranking of stage Groups'],
    [({ stages: [stage] }) => Object.assign(stage.results[0], { delta: 1e9 }), 'sum of winnings of stage Groups'],
    [(body) => Object.assign(body, { champion: body.stages[1].results[1].user_id }), 'champion'],
    [(body) => body.stages.push(body.stages[0]), 'more stages'],
  ];
  for (const [change, words] of tampered) {
    const body = structuredClone(document);
    change(body);
    expect(() => checkTournament(JSON.stringify(body), []), words).toThrow(words);
  }
  expect(() => checkTournament(text.replace('Cup main', 'Cup other'), keyTexts)).toThrow('another content');
}
