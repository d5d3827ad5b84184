import type { ServiceContract } from '@husky/contracts/services';
import { createLogger } from '@husky/runtime/process/logger';
import type { AccessTable, CallName, Rule } from '@husky/runtime/rpc/access';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import { createGrpcServer, type Handlers } from '@husky/runtime/rpc/grpc-server';
import type { Tls } from '@husky/runtime/rpc/tls';
import { testIdentities } from './servers.ts';

/** Handlers of a service double: any subset of the service's RPCs, all with the same access rule. */
export type DoubleHandlers<D, C extends Caller> = Partial<Handlers<D, { [K in keyof D as CallName<K>]: Rule<C> }>>;

export interface ServiceDouble {
  readonly port: number;
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Starts a test double of a service that the service under test calls: a real server with the real contract and identities.
 * Refuses callers that `rule` does not accept. RPCs without a handler in `given` are UNIMPLEMENTED.
 */
export async function startDouble<D, C extends Caller>(
  contract: ServiceContract<D>,
  rule: Rule<C>,
  given: DoubleHandlers<D, C>,
  tls?: Tls,
): Promise<ServiceDouble> {
  const unimplemented = async () => {
    throw new DomainError('UNIMPLEMENTED', 'not-here', `The double of ${contract.name} does not implement this call`);
  };
  const names = Object.keys(contract.client.service).map((name) => name.charAt(0).toLowerCase() + name.slice(1));
  const access = Object.fromEntries(names.map((name) => [name, rule])) as unknown as AccessTable<D>;
  const rest = Object.fromEntries(names.map((name) => [name, unimplemented]));
  const log = createLogger(`${contract.name}-double`, 'fatal');
  const server = createGrpcServer({ verifier: testIdentities().verifierFor(contract.name), log, tls });
  server.add(contract, access, { ...rest, ...given } as unknown as Handlers<D, AccessTable<D>>);
  const port = await server.listen('127.0.0.1:0');
  return { port, address: `127.0.0.1:${port}`, stop: () => server.close(100) };
}
