import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { natsAuthorization, natsUsers } from '@husky/platform/nats-users';
import { expect, onTestFinished, test } from 'vitest';
import { podsOf, root } from './rendered-chart.ts';
import { renderedScript } from './rendered-script.ts';

// A password of a real installation, whose servers did not start: `-i` is not the beginning of a number.
test.each(['-iNs0JBDgUCO9fwbRz4tH-Nk1pfVXoTT', '12345678901234567890123456789012', 'true', '_5'])(
  'nats-server accepts the configuration with the password %s of the routes',
  (password) => {
    const folder = mkdtempSync(join(tmpdir(), 'husky-nats-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(
      join(folder, 'nats.conf'),
      renderedScript('k8s/base/husky-holdem.yaml', 'nats.conf', { '/data': folder }),
    );
    const passwords = Object.fromEntries(Object.keys(natsUsers).map((user) => [user, password]));
    writeFileSync(join(folder, 'users.conf'), natsAuthorization(passwords));
    const [container] = podsOf('prod').get('StatefulSet husky-nats')?.spec.containers ?? [];
    const given: Readonly<Record<string, string>> = { SERVER_NAME: '1-nats-0', ROUTE_PASSWORD: password };
    const variables = container?.env?.map(({ name, value }) => [name, given[name] ?? expand(value ?? '', given)]) ?? [];
    const program = join(root, '.tools/python/bin/nats-server');
    const env = { ...process.env, ...Object.fromEntries(variables) };
    expect(() => execFileSync(program, ['-c', join(folder, 'nats.conf'), '-t'], { env, stdio: 'pipe' })).not.toThrow();
  },
);

/** Replaces references to other variables, as Kubernetes does. */
const expand = (value: string, variables: Readonly<Record<string, string>>) =>
  value.replaceAll(/\$\((\w+)\)/g, (_, name: string) => variables[name] ?? '');
