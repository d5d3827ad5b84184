import { readFileSync } from 'node:fs';
import { fillIn, realm, realmFile } from './realm.ts';

interface RealmFile {
  readonly clients: readonly ({ readonly clientId: string } & Record<string, unknown>)[];
  readonly smtpServer: unknown;
  readonly browserSecurityHeaders: unknown;
}

/** Updates addresses, client secret and mail server of an existing realm. Does not change users. Idempotent. */
export async function applySettings(settings: {
  readonly url: string;
  readonly adminUser: string;
  readonly adminPassword: string;
  readonly variables: Readonly<Record<string, string>>;
}): Promise<void> {
  const { url, adminUser, adminPassword, variables } = settings;
  const file = JSON.parse(fillIn(readFileSync(realmFile, 'utf8'), variables)) as RealmFile;
  const token = await adminToken(url, adminUser, adminPassword);
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${url}/admin/realms/${realm}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    if (!response.ok)
      throw new Error(`Keycloak refused ${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const { smtpServer, browserSecurityHeaders } = file;
  await call('PUT', '', { realm, smtpServer, browserSecurityHeaders });
  for (const client of file.clients) {
    const [existing] = (await (await call('GET', `/clients?clientId=${client.clientId}`)).json()) as { id: string }[];
    if (!existing)
      throw new Error(
        `Keycloak's realm ${realm} has no client ${client.clientId}: it was not imported from our realm file`,
      );
    const { secret, rootUrl, redirectUris, webOrigins, attributes } = client;
    await call('PUT', `/clients/${existing.id}`, {
      ...existing,
      secret,
      rootUrl,
      redirectUris,
      webOrigins,
      attributes,
    });
  }
}

async function adminToken(url: string, username: string, password: string): Promise<string> {
  const response = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password }),
    signal: AbortSignal.timeout(20_000),
  });
  if (!response.ok) throw new Error(`Keycloak's administrator ${username} cannot sign in: ${response.status}`);
  return ((await response.json()) as { access_token: string }).access_token;
}
