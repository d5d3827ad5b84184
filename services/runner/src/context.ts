import { liveDataService, simulationService, submissionService } from '@husky/contracts/services';
import type { Logger } from '@husky/runtime/process/logger';
import type { Caller } from '@husky/runtime/rpc/caller';
import { type ClientOf, createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { createSigner } from '@husky/runtime/rpc/identity';
import { openTls } from '@husky/runtime/rpc/tls';
import type { RunnerConfig } from './config.ts';
import { Totals } from './work/totals.ts';

export interface Context {
  readonly name: string;
  readonly runDir: string;
  readonly allowUnsandboxed: boolean;
  readonly caller: Caller;
  readonly log: Logger;
  readonly totals: Totals;
  readonly simulation: ClientOf<typeof simulationService>;
  readonly submission: ClientOf<typeof submissionService>;
  readonly liveData: ClientOf<typeof liveDataService>;
  close(): void;
}

export function createContext(config: RunnerConfig, log: Logger): Context {
  const tls = openTls(config.process.tlsFolder);
  const signer = createSigner(config.process.keyFile);
  const simulation = createRpcClient(simulationService, config.addresses.simulation, signer, tls);
  const submission = createRpcClient(submissionService, config.addresses.submission, signer, tls);
  const liveData = createRpcClient(liveDataService, config.addresses.liveData, signer, tls);
  return {
    name: config.name,
    runDir: config.runDir,
    allowUnsandboxed: config.allowUnsandboxed,
    caller: { kind: 'runner', name: config.name },
    log,
    totals: new Totals(),
    simulation,
    submission,
    liveData,
    close() {
      for (const client of [simulation, submission, liveData]) client.close();
    },
  };
}
