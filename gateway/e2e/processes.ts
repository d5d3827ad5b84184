import { readdirSync, readFileSync } from 'node:fs';
import { tlsFiles } from '@husky/runtime/config';
import { openTls, type Tls } from '@husky/runtime/tls';
import { inject } from 'vitest';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const parent = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
        return [{ pid: Number(name), parent, command }];
      } catch {
        return [];
      }
    });
}

function below(all: readonly Process[], root: number): Process[] {
  const children = all.filter((process) => process.parent === root);
  return children.flatMap((child) => [child, ...below(all, child.pid)]);
}

interface Runner {
  readonly dealer: Process;
  readonly host: Process;
  /** The processes that bots run in. */
  readonly seats: readonly Process[];
}

/** The runners of the platform under test. */
export function runners(): Runner[] {
  const all = processes();
  const register = JSON.parse(readFileSync(`${inject('platform').dataDir}/processes.json`, 'utf8')) as Record<
    string,
    { pid: number }
  >;
  const ours = all.filter((process) => process.parent === register.pool?.pid);
  const dealers = ours.filter((process) => process.command.includes('runner/src/main.ts'));
  const hosts = ours.filter((process) => process.command.includes('husky_seat'));
  return dealers.flatMap((dealer) => {
    const runDir = variableOf(dealer.pid, 'RUN_DIR');
    const host = hosts.find((candidate) => runDir !== undefined && candidate.command.includes(runDir));
    if (!host) return [];
    // The host's only child is the zygote, whose children are the seats.
    return [{ dealer, host, seats: below(all, host.pid).filter((process) => process.parent !== host.pid) }];
  });
}

function variableOf(pid: number, name: string): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
  } catch {
    return undefined;
  }
}

/** Where a service of the platform under test answers gRPC; the gateway is told. */
export function grpcAddress(service: string): string {
  const file = readFileSync(`${inject('platform').dataDir}/processes.json`, 'utf8');
  const register = JSON.parse(file) as Record<string, { pid: number }>;
  const name = `${service.toUpperCase().replaceAll('-', '_')}_ADDRESS`;
  const address = variableOf(register.gateway?.pid ?? 0, name);
  if (address === undefined) throw new Error(`the gateway knows no ${name}`);
  return address;
}

/** How the gateway proves itself to the services (TLS=1); undefined: they speak plaintext. */
export function platformTls(): Tls | undefined {
  const file = readFileSync(`${inject('platform').dataDir}/processes.json`, 'utf8');
  const { gateway } = JSON.parse(file) as Record<string, { pid: number }>;
  const of = (name: string) => variableOf(gateway?.pid ?? 0, name);
  return openTls(
    tlsFiles({ TLS_CERT_FILE: of('TLS_CERT_FILE'), TLS_KEY_FILE: of('TLS_KEY_FILE'), TLS_CA_FILE: of('TLS_CA_FILE') }),
  );
}

/** The runner whose seats play now. */
export function busyRunner(): Runner | undefined {
  return runners().find((runner) => runner.seats.length > 0);
}
