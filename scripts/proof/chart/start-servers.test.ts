import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { natsAuthorization, natsUsers } from '@husky/platform/nats-users';
import { describe, expect, onTestFinished, test } from 'vitest';
import { podsOf, root } from './rendered-chart.ts';
import { renderedScript, withBackups } from './rendered-script.ts';

describe('start nats', () => {
  // A password of a real installation, whose servers did not start: `-i` is not the beginning of a number.
  test.each(['-iNs0JBDgUCO9fwbRz4tH-Nk1pfVXoTT', '12345678901234567890123456789012', 'true', '_5'])(
    'nats-server accepts the configuration with the password %s of the routes',
    (password) => {
      const folder = mkdtempSync(join(tmpdir(), 'husky-nats-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      writeFileSync(
        join(folder, 'nats.conf'),
        renderedScript('k8s/base/husky-holdem.yaml', 'nats.conf', { '/data': folder }),
      );
      const passwords = Object.fromEntries(Object.keys(natsUsers).map((user) => [user, password]));
      writeFileSync(join(folder, 'users.conf'), natsAuthorization(passwords));
      const [container] = podsOf('prod').get('StatefulSet husky-nats')?.spec.containers ?? [];
      const given: Readonly<Record<string, string>> = { SERVER_NAME: '1-nats-0', ROUTE_PASSWORD: password };
      const variables =
        container?.env?.map(({ name, value }) => [name, given[name] ?? expand(value ?? '', given)]) ?? [];
      const program = join(root, '.tools/python/bin/nats-server');
      const env = { ...process.env, ...Object.fromEntries(variables) };
      expect(() =>
        execFileSync(program, ['-c', join(folder, 'nats.conf'), '-t'], { env, stdio: 'pipe' }),
      ).not.toThrow();
    },
  );

  /** Replaces references to other variables, as Kubernetes does. */
  const expand = (value: string, variables: Readonly<Record<string, string>>) =>
    value.replaceAll(/\$\((\w+)\)/g, (_, name: string) => variables[name] ?? '');
});

describe('start postgres', () => {
  const run = promisify(execFile);

  function makeFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'husky-start-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }

  /** Writes a script that starts PostgreSQL in a folder, and substitutes of its programs. Returns the script's path and environment. */
  function prepareStart(folder: string, rendering: string, postgres: string) {
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    const writeProgram = (name: string, text: string) => {
      writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(programs, name), 0o755);
    };
    writeProgram('initdb', 'mkdir -p "$2" && touch "$2/PG_VERSION" "$2/pg_hba.conf"');
    writeProgram('postgres', postgres);
    const script = join(folder, 'start.sh');
    const folders = { '/var/lib/husky-postgres': folder, '/var/lib/husky-backups': join(folder, 'backups') };
    writeFileSync(script, renderedScript(rendering, 'start.sh', folders));
    return { script, env: { ...process.env, PATH: `${programs}:${process.env.PATH}` } };
  }

  test('a second PostgreSQL on the same volume waits until all processes of the first have ended', async () => {
    const folder = makeFolder();
    // A session process that runs longer than the server that started it.
    const postgres = `echo began >>${folder}/log; (sleep 0.5; echo ended >>${folder}/log) & exit 0`;
    const { script, env } = prepareStart(folder, 'k8s/base/husky-holdem.yaml', postgres);
    await Promise.all([run('sh', [script], { env }), run('sh', [script], { env })]);
    expect(readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')).toEqual(['began', 'ended', 'began', 'ended']);
  });

  test('starts PostgreSQL with the archiving script, and makes its folder', async () => {
    const folder = makeFolder();
    const { script, env } = prepareStart(folder, withBackups, 'for argument; do echo "$argument"; done');
    const { stdout } = await run('sh', [script], { env });
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['archive_mode=on', 'archive_command=sh /etc/husky/start/archive.sh %p %f']),
    );
    expect(existsSync(join(folder, 'backups/wal'))).toBe(true);
  });

  /** Returns a function that archives a segment as PostgreSQL does, and the folder of the archive. */
  function prepareArchive() {
    const folder = makeFolder();
    const wal = join(folder, 'wal');
    mkdirSync(wal);
    const script = join(folder, 'archive.sh');
    writeFileSync(script, renderedScript(withBackups, 'archive.sh', { '/var/lib/husky-backups': folder }));
    const archive = async (name: string, content: string) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      await run('sh', [script, path, name]);
    };
    return { wal, archive };
  }

  const archived = (wal: string, name: string) => gunzipSync(readFileSync(join(wal, `${name}.gz`))).toString();

  test('archives the same segment again, as PostgreSQL asks for after a crash', async () => {
    const { wal, archive } = prepareArchive();
    await archive('000000010000000000000001', 'records');
    await archive('000000010000000000000001', 'records');
    expect(readdirSync(wal)).toEqual(['000000010000000000000001.gz']);
    expect(archived(wal, '000000010000000000000001')).toBe('records');
  });

  test('refuses to replace a segment with another one', async () => {
    const { wal, archive } = prepareArchive();
    await archive('000000010000000000000001', 'records');
    for (const other of ['other records', 'record', '']) {
      await expect(archive('000000010000000000000001', other)).rejects.toThrow('it is a segment of another server');
    }
    expect(archived(wal, '000000010000000000000001')).toBe('records');
  });

  test('replaces what an interrupted archiving left: a partial file, or one whose content was lost with the machine', async () => {
    const { wal, archive } = prepareArchive();
    const complete = gzipSync('records');
    for (const content of [complete.subarray(0, 15), Buffer.alloc(0), Buffer.alloc(complete.length)]) {
      writeFileSync(join(wal, '000000010000000000000001.gz'), content);
      writeFileSync(join(wal, '000000010000000000000001.gz.part'), content);
      await archive('000000010000000000000001', 'records');
      expect(readdirSync(wal)).toEqual(['000000010000000000000001.gz']);
      expect(archived(wal, '000000010000000000000001')).toBe('records');
    }
  });

  test('fails if the archive cannot be written, and leaves no segment', async () => {
    const { wal, archive } = prepareArchive();
    mkdirSync(join(wal, '000000010000000000000001.gz.part'));
    await expect(archive('000000010000000000000001', 'records')).rejects.toThrow('000000010000000000000001.gz.part');
    expect(readdirSync(wal)).toEqual(['000000010000000000000001.gz.part']);
  });
});
