// `make kube-secrets`: prints every secret of a new installation as manifests, for releases with secrets.generate: false.
// RELEASE, FULLNAME (prefix of the names, default: RELEASE), NAMESPACE, RUNNERS_NAMESPACE (default: NAMESPACE-runners), ADMIN_USERNAME (admin), TLS=1: with a CA and certificates.
import { issuers } from '@husky/platform/identities';
import { dumpYaml } from '@kubernetes/client-node';
import { createCa, renewCertificate } from './certificates.ts';
import { generateValues, getValue, type PartSecret, splitByPart } from './installation.ts';
import { namePrefix, requireVariable, run } from './settings.ts';

const { env } = process;

/** Returns the certificates of all parts, signed by a new CA whose key is not kept. */
async function certificates(installation: string): Promise<PartSecret[]> {
  const authority = await createCa(installation);
  return Promise.all(
    issuers.map(async (part) => ({
      name: `tls-${part}`,
      forRunners: part === 'runner',
      entries: await renewCertificate(part, authority, undefined, new Date()),
    })),
  );
}

async function printSecrets(): Promise<void> {
  const prefix = namePrefix();
  const namespace = requireVariable('NAMESPACE');
  const runnersNamespace = env.RUNNERS_NAMESPACE || `${namespace}-runners`;
  const all = await generateValues();
  const admin = { username: env.ADMIN_USERNAME || 'admin', password: getValue(all, 'admin-password') };
  const secrets = [...splitByPart(all, admin), ...(env.TLS ? await certificates(prefix) : [])];
  for (const { name, forRunners, entries } of secrets) {
    const metadata = { name: `${prefix}-${name}`, namespace: forRunners ? runnersNamespace : namespace };
    const manifest = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', stringData: entries };
    process.stdout.write(`---\n${dumpYaml(manifest)}`);
  }
}

run(printSecrets());
