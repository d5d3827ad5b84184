import type { Runner__Output } from '@husky/contracts/types/simulation/v1/Runner';
import type { Sandbox__Output } from '@husky/contracts/types/simulation/v1/Sandbox';

/** One runner as the fleet reports it. Simulation reports which match it plays. */
export interface FleetRunner {
  readonly name: string;
  /** Identifies the runner for its lifetime. */
  readonly port: number;
  /** starting: one of its processes does not run (yet, or after a restart); stopping: `stop` was called for it. */
  readonly phase: 'starting' | 'running' | 'stopping';
  /** Epoch ms of the last start of the runner or of one of its processes. */
  readonly startedAtMs: number;
  /** Why the runner does not run, kept for some seconds after a restart; '' when there is no problem. */
  readonly problem: string;
}

export type ContainerState = 'idle' | 'acquired' | 'active' | 'starting' | 'stopping';

export interface ContainerView {
  readonly runner: FleetRunner;
  readonly state: ContainerState;
  readonly jobId: string;
  /** The means of the seats' sandbox; null until the runner has claimed for the first time. */
  readonly sandbox: Sandbox__Output | null;
}

// The clocks of two machines may differ.
const clockToleranceMs = 1000;

/** Simulation's reports by the name of their runner. */
export type Reports = ReadonlyMap<string, Runner__Output>;

export const toReports = (runners: readonly Runner__Output[]): Reports =>
  new Map(runners.map((report) => [report.name, report]));

/** Returns simulation's report on a runner; undefined when the report is older than the runner's last start. */
export function reportOf(runner: FleetRunner, reports: Reports): Runner__Output | undefined {
  const report = reports.get(runner.name);
  const fresh = report !== undefined && Date.parse(report.lastSeen) >= runner.startedAtMs - clockToleranceMs;
  return fresh ? report : undefined;
}

/** Combines the fleet's view (whether a runner exists) with simulation's view (what it does). */
export function viewOf(runner: FleetRunner, reports: Reports): ContainerView {
  const report = reportOf(runner, reports);
  const sandbox = report?.totals?.sandbox ?? null;
  const jobId = report?.jobId ?? '';
  if (runner.phase === 'stopping') return { runner, state: 'stopping', jobId, sandbox };
  if (runner.phase === 'starting' || report === undefined) return { runner, state: 'starting', jobId: '', sandbox };
  if (report.state === 'ACTIVE') return { runner, state: 'active', jobId, sandbox };
  if (report.state === 'ACQUIRED') return { runner, state: 'acquired', jobId, sandbox };
  return { runner, state: 'idle', jobId: '', sandbox };
}

const order: readonly ContainerState[] = ['starting', 'idle', 'acquired', 'active'];

/** Chooses the runners to stop: first those without a match, then the highest numbers. */
export function chooseToStop(views: readonly ContainerView[], count: number): ContainerView[] {
  return views
    .filter((view) => view.state !== 'stopping')
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || b.runner.port - a.runner.port)
    .slice(0, Math.max(0, count));
}
