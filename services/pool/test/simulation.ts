import { simulationService } from '@husky/contracts/services';
import type { RunnerTotals } from '@husky/contracts/types/simulation/v1/RunnerTotals';
import { only } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { startDouble } from '@husky/testkit/service-double';

export interface FakeSimulation {
  readonly address: string;
  /** Runners by name; all are reported as seen now. */
  readonly runners: Map<string, { state: 'IDLE' | 'ACQUIRED' | 'ACTIVE'; cordoned: boolean; totals?: RunnerTotals }>;
  readonly cordons: string[];
  /** Queued matches; a runner plays 100 hands/s. */
  backlog: { jobs: number; hands: number };
  unavailable: boolean;
  /** Refuses to uncordon runners. */
  keepsCordons: boolean;
  /** Number of refusals. */
  refusals: number;
  stop(): Promise<void>;
}

/** Serves the calls that the pool makes. expectRunnersContract tests this double and simulation against one contract. */
export async function startSimulation(): Promise<FakeSimulation> {
  const list = () => {
    if (fake.unavailable)
      throw new DomainError('UNAVAILABLE', 'away', 'The simulation service is not available right now');
    const lastSeen = new Date().toISOString();
    return { runners: [...fake.runners].map(([name, runner]) => ({ name, ...runner, lastSeen, jobId: '' })) };
  };
  const { address, stop } = await startDouble(simulationService, only('pool'), {
    async listRunners() {
      return list();
    },
    async getBacklog() {
      list();
      const { jobs, hands } = fake.backlog;
      const measured = { measuredHands: 1000, measuredSeconds: 10 };
      return { classes: [{ kind: 'MATCH' as const, queuedJobs: jobs, queuedHands: hands, ...measured }] };
    },
    async cordonRunners(request) {
      list();
      if (fake.keepsCordons && !request.cordoned) {
        fake.refusals++;
        throw new DomainError('INTERNAL', 'internal', 'A defect.');
      }
      for (const name of request.names) {
        const runner = fake.runners.get(name);
        // An uncordon of an unknown runner does not add it to the list.
        if (runner || request.cordoned) {
          fake.runners.set(name, { state: 'IDLE', ...runner, cordoned: request.cordoned });
        }
        fake.cordons.push(`${request.cordoned ? '+' : '-'}${name}`);
      }
      return list();
    },
  });
  const fake: FakeSimulation = {
    address,
    runners: new Map(),
    cordons: [],
    backlog: { jobs: 0, hands: 0 },
    unavailable: false,
    keepsCordons: false,
    refusals: 0,
    stop,
  };
  return fake;
}
