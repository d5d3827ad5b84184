// `make bench-intake`: the cost of storing matches. Delivers MATCHES (28) prerecorded matches of 1,000 hands to the real service by the real
// protocol, as two runners do, and prints the processor time of service and database. No bots and no dealers run. PROFILE=folder writes
// CPU profiles of the service there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { liveDataService } from '@husky/contracts/services';
import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';
import { testClient } from '@husky/testkit/servers';
import { startService } from '@husky/testkit/service-process';
import { expect, test } from 'vitest';
import { sample } from '../../../scripts/proof/load/processor-time.ts';
import { type PlayedMatch, playMatch } from '../test/play.ts';
import { leaseOf } from '../test/service.ts';
import { newMatch, startSimulation, type TestMatch } from '../test/simulation.ts';

const matches = Number(process.env.MATCHES ?? 28);
/** Hands of a delivery: 64 of quick bots; a bot that thinks for 10 ms leaves about 6 in the 300 ms of a delivery. */
const chunkHands = Number(process.env.CHUNK_HANDS ?? 64);
const profiles = process.env.PROFILE;
const runners = 2;
const print = (line: string) => process.stdout.write(`${line}\n`);

const counts = new Array<number>(DECISION_BOUNDS_MS.length + 1).fill(300);
const details = {
  times: { count: 4800, p50Ms: 0.2, p95Ms: 0.8, maxMs: 12, counts },
};

test('stores matches', async () => {
  const simulation = await startSimulation();
  const live = await startService('live-data', {
    SIMULATION_ADDRESS: simulation.address,
    ...(profiles && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }),
  });
  const { admin } = live.database;
  const runner = testClient(liveDataService, live.grpcPort, 'simulation');
  const postmaster = await admin.query<{ data_directory: string }>('SHOW data_directory');
  const pidFile = join(postmaster.rows[0]?.data_directory ?? '', 'postmaster.pid');
  const parts = new Map([
    ['live-data', live.pid],
    ['PostgreSQL', Number(readFileSync(pidFile, 'utf8').split('\n')[0])],
  ]);

  const recorded: { match: TestMatch; play: PlayedMatch }[] = [];
  for (let bots = 1; bots <= matches + runners; bots++) {
    const match = newMatch({ numRounds: 1000 });
    simulation.put(match);
    recorded.push({ match, play: playMatch(match, { bots, chunkHands }) });
  }
  const deliver = async ({ match, play }: (typeof recorded)[number]) => {
    const caller = leaseOf(match);
    await runner.openAttempt({ startedAtMs: Date.now() }, { caller });
    for (const { bytes } of play.chunks) await runner.deliverChunk({ chunk: bytes }, { caller });
    for (const seat of match.playerIds.keys()) {
      const usage = { verdict: '', cpuMs: 300, peakKib: 20_000, faults: 1 };
      await runner.deliverSeatReport({ seat, log: 'a line\n'.repeat(20), ...usage, details }, { caller });
    }
    const endedEarly = play.over ? 'One player holds every chip.' : '';
    const { accepted } = await runner.completeMatch(
      { handsPlayed: play.records.length, digest: play.digest, endedEarly },
      { caller },
    );
    expect(accepted).toBe(true);
  };
  const waitForValues = async (count: number) => {
    for (;;) {
      const { rowCount } = await admin.query('SELECT 1 FROM match_values');
      if (rowCount === count) return;
      await wait(500);
    }
  };
  const read = async () => {
    const { rows } = await admin.query<{ wal: string; commits: string }>(
      `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal, (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS commits`,
    );
    const { seconds } = sample(parts);
    return { wal: Number(rows[0]?.wal), commits: Number(rows[0]?.commits), seconds };
  };

  // The first deliveries compile the code and create the first pages of tables.
  await Promise.all(recorded.splice(0, runners).map(deliver));
  await waitForValues(runners);
  const hands = recorded.reduce((sum, { play }) => sum + play.records.length, 0);
  const chunks = recorded.reduce((sum, { play }) => sum + play.chunks.length, 0);
  const before = await read();
  const began = performance.now();
  const work = async () => {
    for (let next = recorded.pop(); next; next = recorded.pop()) await deliver(next);
  };
  await Promise.all(Array.from({ length: runners }, work));
  const storedMs = performance.now() - began;
  const atEnd = await read();
  await waitForValues(matches + runners);
  const after = await read();

  print(`${matches} matches, ${hands} hands, ${chunks} chunks, accepted in ${(storedMs / 1000).toFixed(1)} s`);
  for (const name of parts.keys()) {
    const between = (from: typeof before, to: typeof before) =>
      (to.seconds.get(name) ?? 0) - (from.seconds.get(name) ?? 0);
    const all = between(before, after);
    print(
      `${name.padEnd(10)} ${all.toFixed(2)} s of a processor, ${((all * 1e6) / hands).toFixed(0)} us a hand; until the last match was accepted ${between(before, atEnd).toFixed(2)} s`,
    );
  }
  print(
    `WAL ${((after.wal - before.wal) / hands).toFixed(0)} bytes a hand, ${((after.commits - before.commits) / matches).toFixed(0)} transactions a match`,
  );
  runner.close();
  if (profiles) await live.end();
  await live.stop();
  await simulation.stop();
});
