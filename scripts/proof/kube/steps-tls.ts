import { createAuthority, issueCertificate } from '@husky/runtime/rpc/certificates';
import { kubectl, namespace, release, runnerPods, runnersNamespace, tryKubectl } from './cluster.ts';
import { readProjectFile } from './platform.ts';
import type { Step } from './steps.ts';

const services = ['auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool'];
const gateway = ['-n', namespace, 'exec', `deploy/${release}-gateway`, '--'];

/** Steps that test which callers services refuse. All other steps use TLS as well, if the values enable it. */
export const tlsSteps: Step[] = [
  {
    name: 'every service refuses callers without a certificate of this CA, even inside the cluster',
    async run() {
      if (!tryKubectl(...gateway, 'test', '-e', '/etc/husky/tls/tls.crt').ok) return 'TLS is off in these values';
      const addresses = services.map((service) => [service, `${release}-${service}.${namespace}.svc:50051`]);
      const foreign = await issueCertificate(await createAuthority('another authority'), ['gateway']);
      const output = await kubectl(
        ...gateway,
        'node',
        '--input-type=module',
        '-e',
        readProjectFile('scripts/proof/kube/callers.js'),
        ...[Object.fromEntries(addresses), { cert: foreign.certificate, key: foreign.privateKey }].map((argument) =>
          JSON.stringify(argument),
        ),
      );
      const { 'a part of the platform': part, ...others } = JSON.parse(output) as Record<string, string[]>;
      if (part?.length !== services.length) throw new Error(`a part of the platform is accepted by ${part} only`);
      for (const [caller, by] of Object.entries(others)) {
        if (by.length > 0) throw new Error(`a caller ${caller} is accepted by ${by.join(', ')}`);
      }
      return `${services.length} services, refused ${Object.keys(others).join(', ')}`;
    },
  },
  {
    name: "only the dealer, not the seats, has the runner's certificate",
    async run() {
      const runner = (await runnerPods()).find((pod) => pod.ready && !pod.deleting)?.name ?? '';
      const listCertificates = (container: string) =>
        tryKubectl('-n', runnersNamespace, 'exec', runner, '-c', container, '--', 'ls', '/etc/husky/tls');
      if (!listCertificates('dealer').ok) return 'TLS is off in these values';
      const seats = listCertificates('seats');
      if (seats.ok || !seats.text.includes('No such file')) throw new Error(`seats: ${seats.text}`);
    },
  },
];
