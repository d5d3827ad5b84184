import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audited, type EventContract, jobEnded, tournamentNews } from '@husky/contracts/events';
import type { JobEnded } from '@husky/contracts/types/events/v1/JobEnded';
import type { TournamentNews } from '@husky/contracts/types/events/v1/TournamentNews';
import { freePort } from '@husky/platform/free-port';
import { startNats } from '@husky/platform/nats-server';
import { natsUsers } from '@husky/platform/nats-users';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import { readableMail } from '@husky/testkit/mail-folder';
import { SMTPServer } from 'smtp-server';

export interface Letter {
  readonly to: readonly string[];
  readonly subject: string;
  readonly messageId: string;
  /** Headers and body, decoded. */
  readonly text: string;
}

/** Starts an SMTP server that keeps the mails it receives. Tests can stop it, restart it and make it reject recipients. */
export async function startMailServer() {
  const letters: Letter[] = [];
  const rejected: string[] = [];
  let rejection: { code: number } | undefined;
  let server = createServer();
  let port = 0;

  function createServer() {
    return new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      closeTimeout: 100,
      onRcptTo({ address }, _session, done) {
        if (rejection) rejected.push(address);
        done(rejection ? Object.assign(new Error('not here'), { responseCode: rejection.code }) : null);
      },
      onData(stream, { envelope }, done) {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          const raw = readableMail(Buffer.concat(parts));
          const header = (name: string) => new RegExp(`^${name}: (.*)`, 'im').exec(raw)?.[1]?.trim() ?? '';
          letters.push({
            to: envelope.rcptTo.map(({ address }) => address),
            subject: header('Subject'),
            messageId: header('Message-ID'),
            text: raw,
          });
          done();
        });
      },
    });
  }
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  await listen(0);
  port = (server.server.address() as AddressInfo).port;
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    to: (address: string) => letters.filter((letter) => letter.to.includes(address)),
    /** Rejects every recipient with an SMTP code; undefined accepts them again. */
    rejectWith: (code: number | undefined) => {
      rejection = code === undefined ? undefined : { code };
    },
    rejections: (address: string) => rejected.filter((one) => one === address).length,
    stop: close,
    async restart() {
      server = createServer();
      await listen(port);
    },
  };
}

/** Starts a NATS server for one test file, so that services of other files do not consume its events. Returns functions that publish to it. */
export async function startOwnNats() {
  const folder = mkdtempSync(join(tmpdir(), 'husky-nats-'));
  const passwords = Object.fromEntries(Object.keys(natsUsers).map((name) => [name, randomBytes(12).toString('hex')]));
  const program = join(import.meta.dirname, '../../../.tools/python/bin/nats-server');
  const nats = await startNats({ program, dataDir: folder, port: await freePort(), passwords });
  const settings = (user: string) => ({ url: nats.url, user, password: passwords[user] ?? '' });
  const log = createLogger('test', 'fatal');
  const simulation = await connectNats(settings('simulation'), log, 'simulation');
  const liveData = await connectNats(settings('live-data'), log, 'live_data');
  const submission = await connectNats(settings('submission'), log, 'submission');
  const publish = <In extends object, Out>(from: typeof simulation, event: EventContract<In, Out>, message: In) =>
    from.publish(event.subject, event.encode(message), randomUUID(), '');
  const ofSubmission = (action: string, subjectId: string, after: object) => ({
    id: randomUUID(),
    action,
    actorKind: 'service',
    subjectKind: 'submission',
    subjectId,
    afterJson: JSON.stringify(after),
    occurredAt: new Date().toISOString(),
  });
  return {
    settings,
    jobEnded: (message: JobEnded) => publish(simulation, jobEnded, message),
    visibility: (subjectKind: 'job' | 'batch', subjectId: string, isPublic: boolean) =>
      publish(liveData, audited('live_data'), {
        id: randomUUID(),
        action: `${subjectKind}.visibility_changed`,
        actorKind: 'user',
        subjectKind,
        subjectId,
        afterJson: JSON.stringify({ public: isPublic }),
        occurredAt: new Date().toISOString(),
      }),
    prepared: (subjectId: string, after: object) =>
      publish(submission, audited('submission'), ofSubmission('submission.prepared', subjectId, after)),
    paused: (subjectId: string, after: object) =>
      publish(simulation, audited('simulation'), ofSubmission('ladder.paused', subjectId, after)),
    challenged: (subjectId: string, actorId: string, after: object) => {
      const message = { ...ofSubmission('challenge.created', subjectId, after), actorId, actorKind: 'user' };
      return publish(simulation, audited('simulation'), message);
    },
    tournament: (message: TournamentNews) => publish(simulation, tournamentNews, message),
    async stop() {
      await Promise.all([simulation.close(), liveData.close(), submission.close()]);
      await nats.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
