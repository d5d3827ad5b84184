import { auditedSubject as audited, streamOf, subjects } from '@husky/contracts/subjects';

/** The rights of one NATS user; NATS refuses everything else. */
export interface NatsRights {
  /** Events that it publishes to the stream of its domain. A user that publishes none has no stream. */
  readonly publishes?: readonly [string, ...string[]];
  /** Its durable consumers: subject by name. */
  readonly consumes?: Readonly<Record<string, string>>;
  /** Subjects of core NATS that it publishes to. */
  readonly broadcasts?: readonly string[];
  /** Subjects that it subscribes to without a durable consumer. */
  readonly listens?: readonly string[];
}

export const natsUsers: Readonly<Record<string, NatsRights>> = {
  gateway: {
    broadcasts: ['gateway.watchers'],
    listens: [
      'gateway.watchers',
      subjects.userChanged,
      subjects.jobEnded,
      subjects.settingsChanged,
      subjects.entriesChanged,
      audited('live_data'),
    ],
  },
  auth: {
    publishes: [subjects.userChanged],
    consumes: {
      auth_notices_user_changed: subjects.userChanged,
      auth_notices_job_ended: subjects.jobEnded,
      auth_notices_published: audited('live_data'),
      auth_notices_prepared: audited('submission'),
      auth_notices_paused: audited('simulation'),
      auth_notices_tournament: subjects.tournamentNews,
      auth_submission_audited: audited('submission'),
      auth_simulation_audited: audited('simulation'),
      auth_live_data_audited: audited('live_data'),
      auth_leaderboard_audited: audited('leaderboard'),
      auth_pool_audited: audited('pool'),
    },
  },
  submission: {
    publishes: [audited('submission')],
    consumes: {
      submission_user_changed: subjects.userChanged,
      submission_job_ended: subjects.jobEnded,
      submission_settings_changed: subjects.settingsChanged,
      submission_quota_changed: subjects.quotaChanged,
    },
  },
  simulation: {
    publishes: [
      subjects.jobEnded,
      subjects.settingsChanged,
      subjects.quotaChanged,
      subjects.tournamentEnded,
      subjects.tournamentNews,
      audited('simulation'),
    ],
    consumes: { simulation_user_changed: subjects.userChanged, simulation_upload_ready: audited('submission') },
  },
  'live-data': {
    publishes: [audited('live_data')],
    consumes: { live_data_job_ended: subjects.jobEnded, live_data_user_changed: subjects.userChanged },
    broadcasts: ['live.>'],
    listens: ['live.>'],
  },
  leaderboard: {
    publishes: [subjects.entriesChanged, audited('leaderboard')],
    consumes: {
      leaderboard_user_changed: subjects.userChanged,
      leaderboard_tournament_ended: subjects.tournamentEnded,
    },
  },
  pool: { publishes: [audited('pool')] },
};

function publishRights({ publishes, consumes = {}, broadcasts = [] }: NatsRights): string[] {
  const rights = ['$JS.API.INFO', ...broadcasts];
  if (publishes !== undefined) {
    rights.push(...publishes);
    const stream = streamOf(publishes[0]);
    for (const verb of ['CREATE', 'UPDATE', 'INFO']) rights.push(`$JS.API.STREAM.${verb}.${stream}`);
  }
  const streams = Object.values(consumes).map(streamOf);
  rights.push(...[...new Set(streams)].map((stream) => `$JS.API.STREAM.INFO.${stream}`));
  for (const [name, subject] of Object.entries(consumes)) {
    const consumer = `${streamOf(subject)}.${name}`;
    rights.push(`$JS.API.CONSUMER.CREATE.${consumer}.>`, `$JS.API.CONSUMER.CREATE.${consumer}`);
    rights.push(`$JS.API.CONSUMER.DURABLE.CREATE.${consumer}`, `$JS.API.CONSUMER.INFO.${consumer}`);
    rights.push(`$JS.API.CONSUMER.MSG.NEXT.${consumer}`, `$JS.ACK.${consumer}.>`);
  }
  return rights;
}

const quoted = (subjects: readonly string[]) => `[${subjects.map((subject) => JSON.stringify(subject)).join(', ')}]`;

/** Returns the block of a server's configuration that defines the users, their passwords and rights. */
export function natsAuthorization(passwords: Readonly<Record<string, string>>, rightsOf = natsUsers): string {
  const users = Object.entries(rightsOf).map(([name, rights]) => {
    const publish = quoted(publishRights(rights));
    const subscribe = quoted([`_INBOX.${name}.>`, ...(rights.listens ?? [])]);
    const password = JSON.stringify(passwords[name]);
    return `    { user: ${name}, password: ${password}, permissions: { publish: ${publish}, subscribe: ${subscribe} } }`;
  });
  return ['authorization {', '  users: [', users.join('\n'), '  ]', '}', ''].join('\n');
}

/** Returns a server's configuration: loopback only, JetStream in the data folder, users with their rights. */
export function natsConfig(options: {
  port: number;
  dataDir: string;
  passwords: Readonly<Record<string, string>>;
  users?: Readonly<Record<string, NatsRights>> | undefined;
}): string {
  return [
    `listen: "127.0.0.1:${options.port}"`,
    `jetstream { store_dir: ${JSON.stringify(`${options.dataDir}/jetstream`)}, max_memory_store: 64MB, max_file_store: 4GB }`,
    'max_payload: 8MB',
    natsAuthorization(options.passwords, options.users),
  ].join('\n');
}
