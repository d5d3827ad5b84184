import { join, resolve } from 'node:path';
import type { Logger } from '@husky/runtime/process/logger';
import { KubeConfig } from '@kubernetes/client-node';
import type { Config } from '../config.ts';
import { closeFolders } from './closed-folders.ts';
import type { Fleet } from './fleet.ts';
import { KubernetesFleet } from './kubernetes-fleet.ts';
import { LocalFleet } from './local-fleet.ts';
import { allowedCpus, findProgram } from './processors.ts';
import { runnerPrograms } from './runner-programs.ts';

// The labels that the chart gives to the runners.
const labelSelector = 'app.kubernetes.io/part-of=husky-holdem,app.kubernetes.io/component=runner';

/** Creates the fleet that the configuration names: pods of a Deployment, or processes of this machine. */
export function createFleet(config: Config, log: Logger, now: () => number): Fleet {
  if (config.kubernetes !== undefined) {
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
      runnerFolder: join(import.meta.dirname, '../../../runner'),
      node: process.execPath,
      python: local.python,
      taskset: findProgram('taskset', local.path),
      path: local.path,
      addresses: config.addresses,
      runnerKeyFile: resolve(local.runnerKeyFile),
      tls: service.tls,
      logLevel: service.logLevel,
      passedOn: local.passedOn,
      dealerVariables: local.dealerVariables,
      allowStrangers: local.allowStrangers,
    }),
  });
}
