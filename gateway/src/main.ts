import { audited, entriesChanged, jobEnded, settingsChanged, userChanged } from '@husky/contracts/events';
import { connectNats, type Messaging } from '@husky/runtime/messages/nats';
import { type Lifecycle, readOrExit, runService, splitAddress } from '@husky/runtime/process/lifecycle';
import { createSigner } from '@husky/runtime/rpc/identity';
import { openTls } from '@husky/runtime/rpc/tls';
import { readConfig } from './config.ts';
import { type Context, createContext } from './context.ts';
import { limitConnections, listen } from './http/connections.ts';
import { createReadiness } from './readiness.ts';
import { createGateway } from './server.ts';
import { reportEveryMs, watchersSubject } from './watchers.ts';

const config = readOrExit('gateway', readConfig, process.env);
await runService('gateway', config.process, start, { edge: true });

async function start({ log, telemetry, onStop, readyWhen }: Lifecycle): Promise<void> {
  const context = createContext(
    {
      auth: config.AUTH_ADDRESS,
      submission: config.SUBMISSION_ADDRESS,
      simulation: config.SIMULATION_ADDRESS,
      liveData: config.LIVE_DATA_ADDRESS,
      leaderboard: config.LEADERBOARD_ADDRESS,
      pool: config.POOL_ADDRESS,
    },
    config,
    createSigner(config.process.keyFile),
    log,
    openTls(config.process.tlsFolder),
  );
  onStop('clients', () => context.close());

  const messaging = await connectNats(config.nats, log);
  onStop('nats', () => messaging.close());
  messaging.listen(userChanged.subject, (payload) => {
    const { userId, change } = userChanged.decode(payload);
    context.sessions.forget(userId);
    void context.streams.check(userId);
    void context.downloads.check(userId);
    if (change === 'DELETED') {
      context.names.forget(userId);
      context.publicResponses.forgetAll();
    } else if (change !== 'SIGNED_OUT') context.publicResponses.forgetRecent();
  });
  messaging.listen(jobEnded.subject, (payload) => {
    // No shared response contains a private match, such as a test run.
    if (jobEnded.decode(payload).isPublic) context.publicResponses.forgetRecent();
  });
  messaging.listen(settingsChanged.subject, () => {
    context.eventSettings.forget();
    context.publicResponses.forgetRecent();
  });
  messaging.listen(entriesChanged.subject, () => context.appliedJobs.forget());
  // Matches were published, or their visibility changed.
  for (const { subject } of [entriesChanged, audited('live_data')]) {
    messaging.listen(subject, () => context.publicResponses.forgetRecent());
  }
  void clearCachesAfterReconnections(messaging, context);

  messaging.listen(watchersSubject, (report) => context.watchers.receive(report));
  const reporting = setInterval(() => messaging.broadcast(watchersSubject, context.watchers.report()), reportEveryMs);
  onStop('watchers', () => clearInterval(reporting));

  const server = createGateway(config, context, telemetry);
  limitConnections(server, config.CONNECTIONS_MAX, config.TRUSTED_PROXIES === 0 ? 1 / 2 : undefined);
  const [host, port] = splitAddress(config.HTTP_ADDRESS);
  const listening = await listen(server, host, port);
  // Within the grace period of the pod (charts/husky-holdem/templates/services.yaml).
  onStop('http', () => listening.close(20_000), 22_000);
  readyWhen('services', createReadiness(context));
}

/** Clears the caches after each reconnection to NATS, because events may have been lost. Returns when the connection is closed. */
async function clearCachesAfterReconnections(
  { connection }: Messaging,
  { publicResponses, appliedJobs }: Context,
): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type !== 'reconnect') continue;
    publicResponses.forgetAll();
    appliedJobs.forget();
  }
}
