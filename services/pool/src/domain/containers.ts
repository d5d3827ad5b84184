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
  /** What the runner waits for, as text; '' when it waits for nothing but a match. */
  readonly reason: string;
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
  const state = stateOf(runner, report);
  const jobId = state === 'starting' || state === 'idle' ? '' : (report?.jobId ?? '');
  return { runner, state, jobId, reason: reasonOf(runner, state, report), sandbox: report?.totals?.sandbox ?? null };
}

function stateOf({ phase }: FleetRunner, report: Runner__Output | undefined): ContainerState {
  if (phase === 'stopping') return 'stopping';
  if (phase === 'starting' || report === undefined) return 'starting';
  if (report.state === 'ACTIVE') return 'active';
  return report.state === 'ACQUIRED' ? 'acquired' : 'idle';
}

function reasonOf({ phase, problem }: FleetRunner, state: ContainerState, report: Runner__Output | undefined): string {
  if (problem !== '') return problem;
  if (state === 'stopping') return report?.jobId ? 'it hands its match back and ends' : 'it ends';
  if (state === 'starting') {
    return phase === 'starting' ? 'its processes are starting' : 'its processes run; it has not asked for work yet';
  }
  if (report?.cordoned) return 'it takes no further match and will be stopped';
  return state === 'acquired' ? 'it prepares the bots of its match' : '';
}

const order: readonly ContainerState[] = ['starting', 'idle', 'acquired', 'active'];

/** Chooses the runners to stop: first those without a match, then the highest numbers. */
export function chooseToStop(views: readonly ContainerView[], count: number): ContainerView[] {
  return views
    .filter((view) => view.state !== 'stopping')
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || b.runner.port - a.runner.port)
    .slice(0, Math.max(0, count));
}
