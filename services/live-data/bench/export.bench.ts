// `make bench-export`: exports 100 matches of 1,000 hands (MATCHES) with the real service and PostgreSQL. Prints time, size and memory, and
// keeps the archive for `make verify` and services/live-data/test/read_export.py.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { admin, startLiveData } from '../test/service.ts';
import { userIdOf } from '../test/simulation.ts';

const matches = Number(process.env.MATCHES ?? 100);
const file = process.env.EXPORT || join(process.cwd(), 'bench-export.zip');
const print = (line: string) => process.stdout.write(`${line}\n`);

test('exports matches', async () => {
  const live = await startLiveData({ exports: { keepDays: 30, maxBytes: 2 ** 32, stepHands: 5_000 } });
  const batchId = userIdOf('batch of the bench');
  const players = ['ann', 'bob', 'cem', 'dee', 'eve', 'fay'].map((username) => ({
    userId: userIdOf(username),
    username,
  }));
  let began = performance.now();
  for (let bots = 1; bots <= matches; bots++) {
    await live.finishMatch({ batchId, numRounds: 1000, stacks: 'reset' }, { bots });
  }
  print(`${matches} matches were played and verified in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  const scope = { batchId };
  const batches = [{ batchId, batchNumber: 1, metadataJson: '' }];
  began = performance.now();
  const cpu = process.cpuUsage();
  const { id } = await live.gateway.startExport(
    { scope, players, batches, site: 'http://site.test' },
    { caller: admin },
  );
  let peakMib = 0;
  let found = await live.gateway.getExport({ id }, { caller: admin });
  while (found.state === 'waiting' || found.state === 'running') {
    peakMib = Math.max(peakMib, process.memoryUsage().rss / 2 ** 20);
    await wait(100);
    found = await live.gateway.getExport({ id }, { caller: admin });
  }
  const seconds = (performance.now() - began) / 1000;
  const used = process.cpuUsage(cpu);
  expect(found.problem).toBe('');
  const parts: Buffer[] = [];
  for await (const { bytes } of live.gateway.downloadExport({ id }, { caller: admin })) parts.push(bytes);
  writeFileSync(file, Buffer.concat(parts));
  print(
    `${found.hands} hands exported in ${seconds.toFixed(1)} s, ${((used.user + used.system) / 1e6).toFixed(1)} s of a processor, ` +
      `${(found.bytes / 2 ** 20).toFixed(1)} MiB (${(found.bytes / found.hands).toFixed(0)} bytes a hand), peak of the process ${peakMib.toFixed(0)} MiB`,
  );
  print(`archive: ${file}`);
  await live.stop();
});
