/** What each NATS user may publish and subscribe to; NATS refuses everything else. */
interface Rights {
  /** Domain whose events it publishes, with a stream of its own. */
  readonly owns?: string;
  /** Durable consumers: stream -> names. */
  readonly consumes?: Readonly<Record<string, readonly string[]>>;
  readonly publish?: readonly string[];
  readonly subscribe?: readonly string[];
}

export const natsUsers: Readonly<Record<string, Rights>> = {
  gateway: { subscribe: ['husky.auth.>'] },
  auth: {
    owns: 'auth',
    // What everybody did, for the audit log; and what notices tell of.
    consumes: {
      husky_auth: ['auth_notices_user_changed'],
      husky_submission: ['auth_submission_audited'],
      husky_simulation: ['auth_simulation_audited', 'auth_notices_job_ended'],
      husky_live_data: ['auth_live_data_audited', 'auth_notices_published'],
      husky_leaderboard: ['auth_leaderboard_audited'],
      husky_pool: ['auth_pool_audited'],
    },
  },
  submission: {
    owns: 'submission',
    consumes: {
      husky_auth: ['submission_user_changed'],
      husky_simulation: ['submission_job_ended', 'submission_settings_changed', 'submission_quota_changed'],
    },
  },
  simulation: { owns: 'simulation', consumes: { husky_auth: ['simulation_user_changed'] } },
  'live-data': {
    owns: 'live_data',
    consumes: { husky_auth: ['live_data_user_changed'], husky_simulation: ['live_data_job_ended'] },
    publish: ['live.>'],
    subscribe: ['live.>'],
  },
  leaderboard: {
    owns: 'leaderboard',
    consumes: { husky_auth: ['leaderboard_user_changed'], husky_simulation: ['leaderboard_job_ended'] },
  },
  pool: { owns: 'pool' },
};

function publishRights(rights: Rights): string[] {
  const subjects = ['$JS.API.INFO', ...(rights.publish ?? [])];
  if (rights.owns !== undefined) {
    subjects.push(`husky.${rights.owns}.>`);
    for (const verb of ['CREATE', 'UPDATE', 'INFO']) subjects.push(`$JS.API.STREAM.${verb}.husky_${rights.owns}`);
  }
  for (const [stream, names] of Object.entries(rights.consumes ?? {})) {
    subjects.push(`$JS.API.STREAM.INFO.${stream}`);
    for (const name of names) {
      subjects.push(`$JS.API.CONSUMER.CREATE.${stream}.${name}.>`, `$JS.API.CONSUMER.CREATE.${stream}.${name}`);
      subjects.push(`$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${name}`, `$JS.API.CONSUMER.INFO.${stream}.${name}`);
      subjects.push(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`, `$JS.ACK.${stream}.${name}.>`);
    }
  }
  return subjects;
}

const quoted = (subjects: readonly string[]) => `[${subjects.map((subject) => JSON.stringify(subject)).join(', ')}]`;

/** The block of a server's configuration that names the users, their passwords and rights. */
export function natsAuthorization(passwords: Readonly<Record<string, string>>): string {
  const users = Object.entries(natsUsers).map(([name, rights]) => {
    const publish = quoted(publishRights(rights));
    const subscribe = quoted([`_INBOX.${name}.>`, ...(rights.subscribe ?? [])]);
    const password = JSON.stringify(passwords[name]);
    return `    { user: ${name}, password: ${password}, permissions: { publish: ${publish}, subscribe: ${subscribe} } }`;
  });
  return ['authorization {', '  users: [', users.join('\n'), '  ]', '}', ''].join('\n');
}

/** The server's configuration: loopback only, JetStream in the data folder, users with their rights. */
export function natsConfig(options: {
  port: number;
  dataDir: string;
  passwords: Readonly<Record<string, string>>;
}): string {
  return [
    `listen: "127.0.0.1:${options.port}"`,
    `jetstream { store_dir: ${JSON.stringify(`${options.dataDir}/jetstream`)}, max_memory_store: 64MB, max_file_store: 4GB }`,
    'max_payload: 8MB',
    natsAuthorization(options.passwords),
  ].join('\n');
}
