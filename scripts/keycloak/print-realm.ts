// Prints our realm file for an existing Keycloak, with its placeholders replaced from the environment.
import { readFileSync } from 'node:fs';
import { siteUrl } from '@husky/runtime/process/url-variables';
import { fillIn, platformClient, realm, realmFile, webClient } from './realm.ts';

const { HUSKY_PUBLIC_URL = '', HUSKY_PLATFORM_SECRET, KEYCLOAK_REALM = realm } = process.env;
const site = siteUrl.safeParse(HUSKY_PUBLIC_URL);
const problems = [
  ...(site.error?.issues.map(({ message }) => `HUSKY_PUBLIC_URL ${message}`) ?? []),
  ...(HUSKY_PLATFORM_SECRET ? [] : [`HUSKY_PLATFORM_SECRET must be the secret of the client ${platformClient}`]),
];
if (problems.length > 0) {
  process.stderr.write(`${problems.join('; ')}\n`);
  process.exitCode = 1;
} else {
  const entries = Object.entries(process.env).filter(([name]) => name.startsWith('HUSKY_')) as [string, string][];
  const variables = { ...Object.fromEntries(entries), HUSKY_PUBLIC_URL: site.data ?? '' };
  const file = JSON.parse(fillIn(readFileSync(realmFile, 'utf8'), variables)) as object;
  process.stdout.write(`${JSON.stringify({ ...file, realm: KEYCLOAK_REALM }, undefined, 2)}\n`);
  process.stderr.write(
    `realm ${KEYCLOAK_REALM} with the clients ${webClient} and ${platformClient}; the file contains the secret\n`,
  );
}
