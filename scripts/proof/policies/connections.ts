// The connections that the chart's NetworkPolicies must permit; all others must be refused. Used by policies.test.ts and the cluster tests.

/** Ports on which the containers of each part listen. */
export const listens: Readonly<Record<string, readonly number[]>> = {
  gateway: [8080, 9090],
  auth: [50051, 9090],
  submission: [50051, 9090],
  simulation: [50051, 9090],
  'live-data': [50051, 9090],
  leaderboard: [50051, 9090],
  pool: [50051, 9090],
  runner: [9090],
  postgres: [5432],
  nats: [4222, 6222, 8222],
};

const database = ['postgres:5432'];
const stores = [...database, 'nats:4222'];

/** Permitted destinations by source: `part:port` inside the cluster, names of services outside of it. */
export const permitted: Readonly<Record<string, readonly string[]>> = {
  gateway: [
    ...['auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool'].map((part) => `${part}:50051`),
    'nats:4222',
    'dns',
    'telemetry',
  ],
  auth: [...stores, 'dns', 'telemetry'],
  submission: [...stores, 'dns', 'telemetry', 'package index'],
  simulation: [...stores, 'auth:50051', 'submission:50051', 'live-data:50051', 'dns', 'telemetry'],
  'live-data': [...stores, 'simulation:50051', 'dns', 'telemetry'],
  leaderboard: [...stores, 'simulation:50051', 'dns', 'telemetry'],
  pool: [...stores, 'simulation:50051', 'dns', 'telemetry', 'API server'],
  // Dealer and seats share their pod's network; the seats' sandbox refuses all of these.
  runner: ['simulation:50051', 'submission:50051', 'live-data:50051', 'dns', 'telemetry'],
  postgres: [],
  nats: ['nats:6222', 'dns'],
  secrets: ['API server', 'dns'],
  migrate: [...database, 'dns'],
  backup: [...database, 'dns'],
  test: ['gateway:8080', 'dns'],
  // A pod of another release in the same namespace: no egress policy applies to it, so only its destinations' ingress policies do.
  stranger: ['gateway:8080', 'dns', 'telemetry', 'package index', 'API server', 'bystander'],
};
