import { readFileSync } from 'node:fs';
import { openTls, type Tls } from '@husky/runtime/rpc/tls';
import { inject } from 'vitest';
import { isZygote, listProcesses, type Process, variableOf } from '../../scripts/proof/chaos/processes.ts';

function descendantsOf(all: readonly Process[], root: number): Process[] {
  const children = all.filter((process) => process.parent === root);
  return children.flatMap((child) => [child, ...descendantsOf(all, child.pid)]);
}

interface Runner {
  readonly dealer: Process;
  readonly host: Process;
  readonly seats: readonly Process[];
}

/** Finds the processes of a runner of the platform under test. Returns undefined while its seats do not run. */
export function findRunner(name: string): Runner | undefined {
  const all = listProcesses();
  const ours = all.filter((process) => process.parent === pidOf('pool'));
  const dealer = ours.find((process) => variableOf(process.pid, 'RUNNER_NAME') === name);
  const runDir = variableOf(dealer?.pid ?? 0, 'RUN_DIR');
  if (dealer === undefined || runDir === undefined) return undefined;
  const host = ours.find((process) => process.command.includes('husky_seat') && process.command.includes(runDir));
  if (host === undefined) return undefined;
  const seats = descendantsOf(all, host.pid).filter((process) => !isZygote(process));
  return seats.length === 0 ? undefined : { dealer, host, seats };
}

/** Returns the process id of a part of the platform under test; 0 if there is none. */
function pidOf(part: string): number {
  const file = readFileSync(`${inject('platform').dataDir}/processes.json`, 'utf8');
  return (JSON.parse(file) as Record<string, { pid: number }>)[part]?.pid ?? 0;
}

/** Returns the gRPC address of a service of the platform under test, from the gateway's environment. */
export function grpcAddress(service: string): string {
  const name = `${service.toUpperCase().replaceAll('-', '_')}_ADDRESS`;
  const address = variableOf(pidOf('gateway'), name);
  if (address === undefined) throw new Error(`the gateway knows no ${name}`);
  return address;
}

/** Opens the gateway's TLS files (TLS=1). Returns undefined if the platform uses plaintext. */
export function platformTls(): Tls | undefined {
  return openTls(variableOf(pidOf('gateway'), 'TLS_FOLDER'));
}
