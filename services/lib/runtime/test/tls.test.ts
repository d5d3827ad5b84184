import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { credentials, ServerCredentials } from '@grpc/grpc-js';
import { createAuthority, forDays, type Issued, issueCertificate } from '@husky/runtime/rpc/certificates';
import { openTls, type Tls } from '@husky/runtime/rpc/tls';
import { expect, onTestFinished, test } from 'vitest';
import { callSucceeds, clientOf, Files, presentedCertificate, serve, until } from './tls-parts.ts';

const authority = await createAuthority('the test');
const foreign = await createAuthority('somebody else');
const simulation = await issueCertificate(authority, ['simulation']);
const gateway = await issueCertificate(authority, ['gateway']);
const lastYear = { from: new Date(Date.now() - 400 * 86_400_000), until: new Date(Date.now() - 35 * 86_400_000) };
const expired = await issueCertificate(authority, ['simulation'], lastYear);

const serverTls = (own: Issued = simulation) => new Files(own, authority).open();
const clientTls = (own: Issued = gateway) => new Files(own, authority).open();

/** Creates credentials without the checks of openTls. */
const bare = (own: Issued | undefined, trusted: Issued): Tls => {
  const [cert, key] = own === undefined ? [null, null] : [Buffer.from(own.certificate), Buffer.from(own.privateKey)];
  const ca = Buffer.from(trusted.certificate);
  const pairs = cert === null || key === null ? [] : [{ cert_chain: cert, private_key: key }];
  return { client: credentials.createSsl(ca, key, cert), server: ServerCredentials.createSsl(ca, pairs, true) };
};

test('a client accepts a server whose certificate names the service, at any address', async () => {
  const { port, calls } = await serve(serverTls());
  expect(await clientOf(port, clientTls()).call()).toEqual({ jobCount: 1 });
  expect(calls()).toBe(1);
});

test.each<[string, Tls | undefined]>([
  ['that speaks plaintext', undefined],
  ['without a certificate', bare(undefined, authority)],
  ['with a certificate of another CA', bare(await issueCertificate(foreign, ['gateway']), authority)],
  ['with an expired certificate', bare(await issueCertificate(authority, ['gateway'], lastYear), authority)],
])('a server refuses a client %s', async (_which, tls) => {
  const { port, calls } = await serve(serverTls());
  expect(await callSucceeds(port, tls)).toBe(false);
  expect(calls()).toBe(0);
});

test.each<[string, Tls | undefined]>([
  ['whose certificate names another service', bare(await issueCertificate(authority, ['auth']), authority)],
  [
    'whose certificate names its address only',
    bare(await issueCertificate(authority, ['127.0.0.1', 'localhost']), authority),
  ],
  ['of another CA', bare(await issueCertificate(foreign, ['simulation']), authority)],
  ['whose certificate has expired', bare(expired, authority)],
  ['that speaks plaintext', undefined],
])('a client refuses a server %s', async (_which, tls) => {
  const { port, calls } = await serve(tls);
  expect(await callSucceeds(port, clientTls())).toBe(false);
  expect(calls()).toBe(0);
});

test('the cause of a refused server is in the logged error, not in the message for the caller', async () => {
  const { port } = await serve(bare(await issueCertificate(authority, ['auth']), authority));
  await expect(clientOf(port, clientTls()).call()).rejects.toMatchObject({
    message: 'The simulation service is not available right now',
    cause: { details: expect.stringContaining("is not in the cert's altnames: DNS:auth") },
  });
});

test.each<[string, (files: Files) => void, RegExp]>([
  ['a missing file', ({ paths }) => rmSync(paths.keyFile), /tls\.key cannot be used: ENOENT/],
  [
    'a key of another certificate',
    (files) => writeFileSync(files.paths.keyFile, gateway.privateKey),
    /tls\.key cannot be used: .*mismatch/,
  ],
  ['an expired certificate', (files) => files.write(expired), /tls\.crt cannot be used: its certificate ended at/],
  ['a CA file without a certificate', (files) => files.trust(), /ca\.crt cannot be used: it holds no certificate/],
  [
    'a truncated CA file',
    ({ paths }) => writeFileSync(paths.caFile, authority.certificate + foreign.certificate.slice(0, 300)),
    /ca\.crt cannot be used: it is cut off/,
  ],
])('a process does not start with %s, and the error names the file', (_what, corrupt, sentence) => {
  const files = new Files(simulation, authority);
  corrupt(files);
  expect(() => openTls(files.folder)).toThrow(sentence);
});

test('unusable files leave the last usable certificate in use until usable ones replace it', async () => {
  const files = new Files(simulation, authority);
  const { port } = await serve(files.open());
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  const next = await issueCertificate(authority, ['simulation']);
  writeFileSync(files.paths.certFile, next.certificate);
  expect((await warned).message).toMatch(/tls\.key cannot be used: .*mismatch.*the previous content stays in use/);
  writeFileSync(files.paths.caFile, 'half');
  expect(await callSucceeds(port, clientTls())).toBe(true);
  expect(await presentedCertificate(port)).toBe(simulation.certificate);
  files.trust(authority);
  files.write(next);
  await until(async () => (await presentedCertificate(port)) === next.certificate);
  expect(await callSucceeds(port, clientTls())).toBe(true);
});

const noOpenssl = spawnSync('openssl', ['version']).error !== undefined;

test('openssl verifies issued certificates', async ({ skip }) => {
  skip(noOpenssl, 'openssl is not installed');
  const files = new Files(await issueCertificate(authority, ['live-data', 'second']), authority);
  const { certFile, caFile } = files.paths;
  for (const purpose of ['sslserver', 'sslclient']) {
    const strict = ['verify', '-x509_strict', '-purpose', purpose, '-verify_hostname', 'second', '-CAfile', caFile];
    expect(execFileSync('openssl', [...strict, certFile], { encoding: 'utf8' })).toContain('OK');
  }
});

test('an authority created by openssl can issue certificates', async ({ skip }) => {
  skip(noOpenssl, 'openssl is not installed');
  const files = new Files(simulation, authority);
  const [key, cert, leaf] = ['own.key', 'own.crt', 'leaf.crt'].map((name) => join(files.folder, name)) as [
    string,
    string,
    string,
  ];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/O=A, B/CN=new'];
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  const own = { certificate: readFileSync(cert, 'utf8'), privateKey: readFileSync(key, 'utf8') };
  writeFileSync(leaf, (await issueCertificate(own, ['auth'], forDays(1))).certificate);
  expect(execFileSync('openssl', ['verify', '-CAfile', cert, leaf], { encoding: 'utf8' })).toContain('OK');
});

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
