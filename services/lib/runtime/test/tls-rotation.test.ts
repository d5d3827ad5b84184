import { type AddressInfo, connect, createServer } from 'node:net';
import { createAuthority, issueCertificate } from '@husky/runtime/rpc/certificates';
import { expect, onTestFinished, test } from 'vitest';
import { callSucceeds, clientOf, Files, presentedCertificate, serve, until } from './tls-parts.ts';

/** Starts a TCP proxy to the port that counts its connections. */
async function proxyTo(port: number): Promise<{ readonly port: number; readonly connections: () => number }> {
  let connections = 0;
  const proxy = createServer((near) => {
    connections += 1;
    const far = connect(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  return { port: (proxy.address() as AddressInfo).port, connections: () => connections };
}

test('certificates and the CA are replaced during continuous calls, and no call fails', async () => {
  const [before, after] = [await createAuthority('before'), await createAuthority('after')];
  const oldServer = await issueCertificate(before, ['simulation']);
  const newServer = await issueCertificate(after, ['simulation']);
  const oldClient = await issueCertificate(before, ['gateway']);
  const newClient = await issueCertificate(after, ['gateway']);
  const serverFiles = new Files(oldServer, before);
  const clientFiles = new Files(oldClient, before);
  const { port } = await serve(serverFiles.open());
  const clientTls = clientFiles.open();
  const proxied = await proxyTo(port);

  const stop = new AbortController();
  const callers = Array.from({ length: 4 }, async () => {
    const client = clientOf(proxied.port, clientTls);
    let successes = 0;
    while (!stop.signal.aborted) {
      await client.call();
      successes += 1;
    }
    return successes;
  });
  // A failed call ends the test at once with its own error.
  const calling = Promise.all(callers);
  const step = (work: Promise<void>) => Promise.race([work, calling.then(() => undefined)]);

  const ofNewCa = new Files(newClient, before, after).open();
  const ofOldCa = new Files(oldClient, before, after).open();
  const [newPeer, oldPeer] = await Promise.all(
    [newServer, oldServer].map(async (own) => (await serve(new Files(own, before, after).open())).port),
  );

  expect(await callSucceeds(port, ofNewCa)).toBe(false);
  for (const files of [serverFiles, clientFiles]) files.trust(before, after);
  await step(until(() => callSucceeds(port, ofNewCa)));
  await step(until(() => callSucceeds(newPeer ?? 0, clientTls)));

  serverFiles.write(newServer);
  clientFiles.write(newClient);
  await step(until(async () => (await presentedCertificate(port)) === newServer.certificate));

  for (const files of [serverFiles, clientFiles]) files.trust(after);
  await step(until(async () => !(await callSucceeds(port, ofOldCa))));
  await step(until(async () => !(await callSucceeds(oldPeer ?? 0, clientTls))));

  // A connection lives 10 s: the next one uses the new certificates only.
  const connectionsBefore = proxied.connections();
  await step(until(async () => proxied.connections() > connectionsBefore));
  stop.abort();
  for (const successes of await calling) expect(successes).toBeGreaterThan(0);
  expect(await clientOf(proxied.port, clientTls).call()).toBeDefined();
}, 90_000);
