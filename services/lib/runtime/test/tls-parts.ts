import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { simulationService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import type { Issued } from '@husky/runtime/rpc/certificates';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { openTls, type Tls } from '@husky/runtime/rpc/tls';
import { testIdentities } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { onTestFinished } from 'vitest';

/** Poll interval of certificate files in these tests. */
export const filesPollMs = 20;

/** The TLS files of one process, in their own temporary folder. */
export class Files {
  readonly folder = mkdtempSync(join(tmpdir(), 'husky-tls-'));
  readonly paths = {
    certFile: join(this.folder, 'tls.crt'),
    keyFile: join(this.folder, 'tls.key'),
    caFile: join(this.folder, 'ca.crt'),
  };

  constructor(own: Issued, ...authorities: readonly Issued[]) {
    this.write(own);
    this.trust(...authorities);
    onTestFinished(() => rmSync(this.folder, { recursive: true }));
  }

  write({ certificate, privateKey }: Issued): void {
    writeFileSync(this.paths.certFile, certificate);
    writeFileSync(this.paths.keyFile, privateKey);
  }

  trust(...authorities: readonly Issued[]): void {
    writeFileSync(this.paths.caFile, authorities.map(({ certificate }) => certificate).join(''));
  }

  open(): Tls {
    const tls = openTls(this.folder, filesPollMs);
    if (tls === undefined) throw new Error('no TLS');
    return tls;
  }
}

export interface Served {
  readonly port: number;
  /** Calls that reached the service. */
  readonly calls: () => number;
}

/** Starts a double of simulation that implements CountJobs only. */
export async function serve(tls: Tls | undefined): Promise<Served> {
  let calls = 0;
  const { port, stop } = await startDouble(
    simulationService,
    anyone,
    { countJobs: async () => ({ jobCount: ++calls }) },
    tls,
  );
  onTestFinished(stop);
  return { port, calls: () => calls };
}

const ada = { kind: 'user', id: 'u1', username: 'ada', admin: false, verified: true } as const;

/** Creates a client of that server. */
export function clientOf(port: number, tls: Tls | undefined) {
  const client = createRpcClient(simulationService, `127.0.0.1:${port}`, testIdentities().signerOf('gateway'), tls);
  onTestFinished(() => client.close());
  return { call: () => client.countJobs({}, { caller: ada, timeoutMs: 5000 }) };
}

/** Returns whether a call with these credentials succeeds; false when the server is UNAVAILABLE. */
export async function callSucceeds(port: number, tls: Tls | undefined): Promise<boolean> {
  return clientOf(port, tls)
    .call()
    .then(
      () => true,
      (error: { code?: string }) => {
        if (error.code !== 'UNAVAILABLE') throw error;
        return false;
      },
    );
}

/** Returns the certificate that the server presents. */
export function presentedCertificate(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () => {
      resolve(socket.getPeerX509Certificate()?.toString() ?? '');
      socket.destroy();
    });
    // The server closes the connection of a client without a certificate, after it has presented its own.
    socket.once('error', reject);
  });
}

/** Polls until `condition` resolves with true. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, filesPollMs));
}
