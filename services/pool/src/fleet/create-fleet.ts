import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@husky/runtime/process/logger';
import type { Config } from '../config.ts';
import type { Fleet } from './fleet.ts';
import { LocalFleet } from './local-fleet.ts';
import { closeFolders } from './local-runner.ts';
import { runnerPrograms } from './runner-programs.ts';

// The labels that the chart gives to the runners.
const labelSelector = 'app.kubernetes.io/part-of=husky-holdem,app.kubernetes.io/component=runner';

/**
 * Creates the fleet that the configuration names: pods of a Deployment, or processes of this machine. The client of Kubernetes takes 60 MiB,
 * so only a pool that uses it loads it.
 */
export async function createFleet(config: Config, log: Logger, now: () => number): Promise<Fleet> {
  if (config.kubernetes !== undefined) {
    const { KubeConfig } = await import('@kubernetes/client-node');
    const { KubernetesFleet } = await import('./kubernetes-fleet.ts');
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromDefault();
    return new KubernetesFleet({ ...config.kubernetes, config: kubeConfig, labelSelector, log, now });
  }
  const { local, service } = config;
  return new LocalFleet({
    closeFolders: (folders) => closeFolders(local.python, folders, log),
    runnersDir: resolve(local.runnersDir),
    basePort: local.basePort,
    cpus: allowedCpus(),
    log,
    now,
    programs: runnerPrograms({
      dealer: fileURLToPath(new URL('../../../runner/src/main.ts', import.meta.url)),
      seatFolder: join(import.meta.dirname, '../../../runner/seat'),
      node: process.execPath,
      python: local.python,
      taskset: findProgram('taskset', local.path),
      path: local.path,
      addresses: config.addresses,
      runnerKeyFile: resolve(local.runnerKeyFile),
      tlsFolder: service.tlsFolder,
      logLevel: service.logLevel,
      passedOn: local.passedOn,
      dealerVariables: local.dealerVariables,
      allowStrangers: local.allowStrangers,
    }),
  });
}

/** Parses a list of cores such as '0-2,5', the format of /proc. */
export function parseCpuList(text: string): number[] {
  return text
    .trim()
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/** Returns the cores this process may run on; empty where /proc does not have them. */
function allowedCpus(): number[] {
  try {
    const line = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return parseCpuList(line?.[1] ?? '');
  } catch {
    return [];
  }
}

/** Returns the path of a program found in `path` (as in PATH), or undefined. */
export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
