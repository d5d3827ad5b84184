import { createAuthority, issueCertificate } from '@husky/runtime/certificates';
import { kubectl, namespace, release, runnerPods, runnersNamespace, tryKubectl } from './cluster.ts';
import { botText } from './platform.ts';
import type { Step } from './steps.ts';

const services = ['auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool'];
const gateway = ['-n', namespace, 'exec', `deploy/${release}-gateway`, '--'];

/** Refused callers. If the values enable TLS, all other steps use it, too. */
export const tlsSteps: Step[] = [
  {
    name: 'every service refuses callers without a certificate of this CA, even inside the cluster',
    async run() {
      if (!tryKubectl(...gateway, 'test', '-e', '/etc/husky/tls/tls.crt').ok) return 'TLS is off in these values';
      const addresses = services.map((service) => [service, `${release}-${service}.${namespace}.svc:50051`]);
      const stranger = await issueCertificate(await createAuthority('somebody else'), ['gateway']);
      const answer = await kubectl(
        ...[...gateway, 'node', '--input-type=module', '-e', botText('k8s/e2e/callers.js')],
        ...[Object.fromEntries(addresses), { cert: stranger.certificate, key: stranger.privateKey }].map((argument) =>
          JSON.stringify(argument),
        ),
      );
      const { 'a part of the platform': part, ...others } = JSON.parse(answer) as Record<string, string[]>;
      if (part?.length !== services.length) throw new Error(`a part of the platform is accepted by ${part} only`);
      for (const [caller, by] of Object.entries(others)) {
        if (by.length > 0) throw new Error(`a caller ${caller} is accepted by ${by.join(', ')}`);
      }
      return `${services.length} services, refused ${Object.keys(others).join(', ')}`;
    },
  },
  {
    name: 'only the dealer of a runner has its certificate',
    async run() {
      const runner = (await runnerPods()).find((pod) => pod.ready && !pod.deleting)?.name ?? '';
      const look = (container: string) =>
        tryKubectl('-n', runnersNamespace, 'exec', runner, '-c', container, '--', 'ls', '/etc/husky/tls');
      if (!look('dealer').ok) return 'TLS is off in these values';
      const seats = look('seats');
      if (seats.ok || !seats.text.includes('No such file')) throw new Error(`seats: ${seats.text}`);
    },
  },
];
