import type { ServiceContract } from '@husky/contracts/services';
import type { ServiceSettings } from '../process/config.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import type { AccessTable } from './access.ts';
import { createGrpcServer, type Handlers } from './grpc-server.ts';
import { createVerifier } from './identity.ts';
import type { Tls } from './tls.ts';

/** Serves a contract until the service stops. Callers need an identity that was signed for this service. Returns the port. */
export async function serve<D, A extends AccessTable<D>>(
  { log, onStop, now }: Pick<Lifecycle, 'log' | 'onStop'> & { now?(): number },
  { grpcAddress, trustFile }: Pick<ServiceSettings, 'grpcAddress' | 'trustFile'>,
  tls: Tls | undefined,
  contract: ServiceContract<D>,
  access: A,
  handlers: Handlers<D, A>,
): Promise<number> {
  const server = createGrpcServer({ verifier: createVerifier(trustFile, contract.name, now), log, tls });
  server.add(contract, access, handlers);
  const port = await server.listen(grpcAddress);
  onStop('grpc server', () => server.close());
  log.info({ port }, `${contract.name} is serving`);
  return port;
}
