import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SupervisedProcess } from '@husky/runtime/process/supervised-process';
import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findProgram, parseCpuList } from './create-fleet.ts';
import { describePod, isOver, portOf, problemOf } from './kubernetes-runner.ts';
import { RunnerLog } from './runner-log.ts';
import { runnerPrograms } from './runner-programs.ts';

describe('kubernetes runner', () => {
  const created = new Date(Date.UTC(2026, 0, 1));
  const pod = (status: V1Pod['status'], deletionTimestamp?: Date): V1Pod => ({
    metadata: {
      name: 'husky-runner-abc',
      uid: 'u-1',
      creationTimestamp: created,
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    ...(status === undefined ? {} : { status }),
  });
  const container = (state: V1ContainerStatus['state'], rest: Partial<V1ContainerStatus> = {}): V1ContainerStatus => ({
    name: 'dealer',
    image: 'husky/dealer:1',
    imageID: '',
    ready: false,
    restartCount: 2,
    ...(state === undefined ? {} : { state }),
    ...rest,
  });

  test('maps readiness to running and starting, and deletion to stopping', () => {
    const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
    expect(describePod(pod(ready), 10_001, false)).toEqual({
      name: 'husky-runner-abc',
      port: 10_001,
      phase: 'running',
      startedAtMs: created.getTime(),
      problem: '',
    });
    expect(describePod(pod({}), 10_001, false).phase).toBe('starting');
    expect(describePod(pod(ready, new Date()), 10_001, false).phase).toBe('stopping');
    expect(describePod(pod(ready), 10_001, true).phase).toBe('stopping');
  });

  test('reads the text times of a watch event', () => {
    const received = JSON.parse(JSON.stringify(pod({}))) as V1Pod;
    expect(describePod(received, 10_001, false).startedAtMs).toBe(created.getTime());
  });

  test("reports an unschedulable pod with the scheduler's message", () => {
    const conditions = [
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes: Insufficient cpu.' },
    ];
    expect(problemOf(pod({ conditions }))).toBe('no node can take it: 0/1 nodes: Insufficient cpu.');
  });

  test('reports a missing image, a crash loop and a bad configuration with the container', () => {
    const pull = container({ waiting: { reason: 'ImagePullBackOff', message: 'not found' } });
    expect(problemOf(pod({ containerStatuses: [pull] }))).toBe(
      'the image husky/dealer:1 of dealer cannot be had: not found',
    );
    const crash = container(
      { waiting: { reason: 'CrashLoopBackOff' } },
      { lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } } },
    );
    expect(problemOf(pod({ initContainerStatuses: [{ ...crash, name: 'seats' }] }))).toBe(
      'seats ends again and again (OOMKilled, exit code 137), 2 restarts; its log says why',
    );
    const config = container({ waiting: { reason: 'CreateContainerConfigError', message: 'secret "x" not found' } });
    expect(problemOf(pod({ containerStatuses: [config] }))).toBe('dealer cannot be started: secret "x" not found');
  });

  test('reports a running container that is not ready, unless it has just started', () => {
    const running = container({ running: { startedAt: created } });
    expect(problemOf(pod({ containerStatuses: [{ ...running, started: false }] }))).toBe('');
    expect(problemOf(pod({ containerStatuses: [{ ...running, started: true }] }))).toBe(
      'dealer runs and is not ready; its log says why',
    );
  });

  test('treats an evicted pod as ended', () => {
    expect(isOver(pod({ phase: 'Failed', reason: 'Evicted' }))).toBe(true);
    expect(isOver(pod({ phase: 'Running' }))).toBe(false);
  });

  test('gives each pod a stable number of its own', () => {
    const port = portOf('u-1', new Set());
    expect(portOf('u-1', new Set())).toBe(port);
    expect(portOf('u-1', new Set([port]))).not.toBe(port);
    expect(port).toBeGreaterThanOrEqual(10_000);
    expect(port).toBeLessThan(60_000);
  });
});

describe('runner log', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'husky-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = () =>
    new RunnerLog(join(folder, 'runner.log'), (error) => {
      throw error;
    });

  test('returns whole lines within the requested size', async () => {
    const log = open();
    for (let n = 0; n < 1000; n++) log.add('dealer', `line ${n} ♠`);
    const tail = log.tail(100);
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(100);
    expect(tail.endsWith('dealer | line 999 ♠\n')).toBe(true);
    expect(tail.startsWith('dealer | line ')).toBe(true);
    await log.close();
  });

  test("bounds the memory of a runner's log", async () => {
    const log = open();
    for (let n = 0; n < 200; n++) log.add('seats', 'x'.repeat(100_000));
    expect(Buffer.byteLength(log.tail(Number.MAX_SAFE_INTEGER))).toBeLessThanOrEqual(512 * 1024);
    await log.close();
  });

  test('writes all lines to the file and rotates it when it is full', async () => {
    const log = open();
    for (let n = 0; n < 1000; n++) log.add('seats', 'y'.repeat(5000));
    log.add('seats', 'the last');
    await log.close();
    expect(readFileSync(join(folder, 'runner.log'), 'utf8')).toContain('the last');
    expect(readFileSync(join(folder, 'runner.log.1')).length).toBeGreaterThan(4_000_000);
  });
});

describe('runner programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'runner-programs-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const { PATH = '' } = process.env;

  test('gives services precedence over dealers and seats', async () => {
    mkdirSync(join(folder, 'seat/husky_seat'), { recursive: true });
    writeFileSync(join(folder, 'dealer.ts'), "import { getPriority } from 'node:os'; console.log(getPriority());\n");
    writeFileSync(join(folder, 'seat/husky_seat/__main__.py'), 'import os\nprint(os.nice(0))\n');
    const programs = runnerPrograms({
      dealer: join(folder, 'dealer.ts'),
      seatFolder: join(folder, 'seat'),
      node: process.execPath,
      python: 'python3',
      taskset: findProgram('taskset', PATH),
      path: PATH,
      addresses: { simulation: '', submission: '', liveData: '' },
      runnerKeyFile: '',
      logLevel: 'info',
      passedOn: {},
      dealerVariables: {},
      allowStrangers: false,
    });
    const parameters = { name: 'runner-1', number: 1, folder, runDir: folder, cpu: 0 };
    for (const program of [programs.dealer(parameters), programs.seats(parameters)]) {
      const printed = await new Promise<string>((resolve) => {
        const supervised = new SupervisedProcess({ label: 'runner', program, onLine: resolve, onLoss: resolve });
        supervised.start();
        onTestFinished(() => supervised.stop(1000));
      });
      expect(printed).toBe(String(Math.min(19, getPriority() + 5)));
    }
  });

  test('parses ranges and single cores', () => {
    expect(parseCpuList('0-2,5,7-8\n')).toEqual([0, 1, 2, 5, 7, 8]);
    expect(parseCpuList('')).toEqual([]);
  });

  test('finds a program in PATH, or returns undefined', () => {
    expect(findProgram('sh', '/nonexistent:/bin')).toBe('/bin/sh');
    expect(findProgram('no-such-program', '/bin')).toBeUndefined();
  });
});
