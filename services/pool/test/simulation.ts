import { simulationService } from '@husky/contracts/services';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import { requireService } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import { createGrpcServer, type Handlers } from '@husky/runtime/grpc-server';
import { createLogger } from '@husky/runtime/logger';
import { testIdentities } from '@husky/testkit/servers';

export interface FakeSimulation {
  readonly address: string;
  /** Runners and what they do; every one is seen now. */
  readonly runners: Map<string, { state: 'IDLE' | 'ACQUIRED' | 'ACTIVE'; cordoned: boolean }>;
  readonly cordons: string[];
  /** Of matches, nothing else waits; a runner plays 100 hands/s. */
  backlog: { jobs: number; hands: number };
  away: boolean;
  stop(): Promise<void>;
}

/** The calls that pool makes, over the real contract and identities. */
export async function startSimulation(): Promise<FakeSimulation> {
  const verifier = testIdentities().verifierFor('simulation');
  const server = createGrpcServer({ verifier, log: createLogger('simulation', 'fatal') });
  const unused = async () => {
    throw new DomainError('UNIMPLEMENTED', 'not-here', 'not in this test');
  };
  const handlers = Object.fromEntries(
    Object.keys(simulationService.client.service).map((name) => [name[0]?.toLowerCase() + name.slice(1), unused]),
  ) as unknown as Handlers<SimulationServiceDefinition>;
  const list = () => {
    if (fake.away) throw new DomainError('UNAVAILABLE', 'away', 'The simulation service is not available right now');
    const lastSeen = new Date().toISOString();
    return { runners: [...fake.runners].map(([name, runner]) => ({ name, ...runner, lastSeen, jobId: '' })) };
  };
  server.add<SimulationServiceDefinition>(simulationService, {
    ...handlers,
    async listRunners(_request, call) {
      requireService(call.caller, 'pool');
      return list();
    },
    async getBacklog(_request, call) {
      requireService(call.caller, 'pool');
      list();
      const { jobs, hands } = fake.backlog;
      const measured = { measuredHands: 1000, measuredSeconds: 10 };
      return { classes: [{ kind: 'MATCH' as const, queuedJobs: jobs, queuedHands: hands, ...measured }] };
    },
    async cordonRunners(request, call) {
      requireService(call.caller, 'pool');
      const answer = list();
      for (const name of request.names) {
        const runner = fake.runners.get(name);
        if (runner) runner.cordoned = request.cordoned;
        fake.cordons.push(`${request.cordoned ? '+' : '-'}${name}`);
      }
      return answer;
    },
  });
  const port = await server.listen('127.0.0.1:0');
  const fake: FakeSimulation = {
    address: `127.0.0.1:${port}`,
    runners: new Map(),
    cordons: [],
    backlog: { jobs: 0, hands: 0 },
    away: false,
    stop: () => server.close(100),
  };
  return fake;
}
