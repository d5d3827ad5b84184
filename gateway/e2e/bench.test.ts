// `husky bench` from a list of models to the ranked table of a batch, killed on the way.
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, run } from '@husky/testkit/program';
import { expect, onTestFinished, test } from 'vitest';
import { installPackages } from '../../scripts/python/packages.ts';
import { findPython } from '../../scripts/up/preflight.ts';
import { installedKit } from '../../services/kit/test/installed-kit.ts';
import { startModelServer } from '../../services/kit/test/model-server.ts';
import * as client from './client.ts';

const slowMs = 600_000;
const key = 'sk-bench-0123456789abcdef';

test(
  'ranks models by bots that it has had written, uploaded and played, and does nothing twice',
  async () => {
    const bin = await installedKit();
    const folder = mkdtempSync(join(tmpdir(), 'husky-bench-'));
    // Each bot has a number of its model in its code, so that no two are equal.
    const server = await startModelServer((model) => ({
      file: model.endsWith('a') ? 'first' : 'two-players',
      edit: (text) => text.replaceAll('enge Hände', `enge Hände von ${model}`),
    }));
    onTestFinished(async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const prefix = client.uniqueName('b').toLowerCase().replaceAll('_', '-');
    const models = ['a', 'b', 'c'].map((name) => ({
      name: `${prefix}-${name}`,
      version: '1',
      provider: 'Tests',
      base_url: server.url,
      price: { input: 1, output: 2 },
    }));
    const batch = { mode: 'duplicate', design: 'balanced', hand_budget: 240, num_rounds: 10 };
    const common = {
      rounds: 1,
      repetitions: 2,
      publish: 'rounds',
      hands: 4,
      sets: 2,
      field: ['calling-station'],
      batch,
    };
    // JSON is YAML too.
    writeFileSync(join(folder, 'models.yaml'), JSON.stringify({ ...common, models }));
    const env = {
      PATH: '/usr/bin:/bin',
      HOME: folder,
      PYTHONPATH: await installPackages('author', findPython(join(bin, 'python'))),
      OPENAI_API_KEY: key,
      HUSKY_ADMIN_PASSWORD: client.platform().adminPassword,
    };
    const site = ['--site', client.platform().origin, '--admin', 'admin'];
    /** Runs the benchmark; with a pattern of files until one of them exists, then kills it. */
    const bench = (until?: string): Promise<Ended> =>
      run(join(bin, 'husky'), ['bench', 'models.yaml', '--out', 'out', '--json', ...site], {
        cwd: folder,
        env,
        onStart: (child) => {
          const timer = setInterval(() => {
            if (until === undefined || globSync(until, { cwd: folder }).length > 0) clearInterval(timer);
            if (until !== undefined && globSync(until, { cwd: folder }).length > 0) child.kill('SIGKILL');
          }, 20);
        },
      });

    expect((await bench('out/bots/*/round-01/player.py')).code).toBeNull();
    expect((await bench('out/bots/*/upload.json')).code).toBeNull();
    let ended = await bench();
    // A busy machine reaches the time limit of a program; the next run goes on where that was killed.
    for (let tries = 0; ended.code === null && tries < 2; tries++) ended = await bench();
    const { code, stdout, stderr } = ended;
    expect(code, stderr + stdout).toBe(0);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ estimator: 'duplicate_adjusted', failed_matches: 0 });
    expect(result.models).toHaveLength(3);
    for (const row of result.models) {
      expect(row).toMatchObject({ bots: 2, failed_bots: 0, failed_rounds: 0 });
      expect(row.bots_low).toBeLessThanOrEqual(row.hands_low);
      expect(row.bots_high).toBeGreaterThanOrEqual(row.hands_high);
    }
    // A bot is paid once; each kill may have cut two answers.
    expect(server.calls.length).toBeLessThanOrEqual(6 + 4 * 2);
    const admin = await client.adminToken();
    const { batches } = client.expectStatus(await client.get('/llm/batches?page_size=100', admin), 200);
    const own = batches.filter(({ users }: client.Body) => users.some((name: string) => name.startsWith(prefix)));
    expect(own).toHaveLength(1);
    const { batch_metadata } = client.expectStatus(
      await client.get(`/llm/batch/${own[0].batch_id}/metadata`, admin),
      200,
    );
    expect(Object.keys(batch_metadata.bots)).toHaveLength(6);
    expect(batch_metadata.bots[`${prefix}-a-1`]).toMatchObject({
      model: { name: `${prefix}-a`, version: '1', provider: 'Tests' },
      prompt: expect.stringMatching(/^husky 1 \(sha256 [0-9a-f]{12}\)$/),
      rounds: 1,
    });
    // The site groups the same bots, by the same estimator.
    const standings = client.expectStatus(await client.get(`/live/standings?batch=${result.batch}`), 200);
    expect(standings.models).toHaveLength(3);
    for (const { name, estimates } of standings.models) {
      const row = result.models.find((one: client.Body) => one.model === name);
      for (const [figure, value] of Object.entries(estimates.duplicate_adjusted.bb)) {
        expect(value, figure).toBeCloseTo(row[figure === 'mean' ? 'bb_per_100' : figure], 6);
      }
    }
    const path = `/players/${prefix}-a-1/authorings`;
    const { authorings } = client.expectStatus(await client.get(path), 200);
    expect(authorings).toMatchObject([
      { shown: 'rounds', record: { model: `${prefix}-a`, prompt: { name: 'husky' } } },
    ]);
    const written = `/submission/${authorings[0].submission_id}/authoring`;
    client.expectStatus(await client.get(`${written}/code`), 401);
    const { rounds } = client.expectStatus(await client.get(`${written}/code`, admin), 200);
    expect(rounds).toMatchObject([{ round: 1, player: expect.stringContaining(`${prefix}-a`) }]);
    client.expectStatus(await client.remove(written, admin), 200);
    expect((await client.get(path)).body).toEqual({ authorings: [] });
    for (const name of ['table.csv', 'cost.svg', 'citation.json', 'export.zip'])
      expect(existsSync(join(folder, 'out', name)), name).toBe(true);
    const kept = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const file of kept) {
      const bytes = readFileSync(join(file.parentPath, file.name));
      expect(bytes.includes(key) || bytes.includes(env.HUSKY_ADMIN_PASSWORD), file.name).toBe(false);
    }
  },
  slowMs,
);
