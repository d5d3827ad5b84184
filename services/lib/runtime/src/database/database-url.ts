import type pg from 'pg';
import { parse } from 'pg-connection-string';

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];
const parameters = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'application_name',
  'options',
  'connect_timeout',
];

/**
 * Returns the connection options of a database URL, `postgresql://user[:password]@host[:port]/database[?parameter=value]`. The
 * parameters have libpq's names and meaning (https://www.postgresql.org/docs/current/libpq-connect.html): sslmode, sslrootcert,
 * sslcert, sslkey, sslnegotiation, application_name, options, connect_timeout (seconds). Reads the certificate files. Throws one
 * sentence for an unknown parameter, for an sslmode that falls back to plaintext, and for a file that cannot be read.
 */
export function connectionOptions(text: string, password?: string): pg.ClientConfig {
  const url = new URL(text);
  const given = url.searchParams;
  for (const name of given.keys()) {
    if (!parameters.includes(name)) {
      throw new Error(`The database URL has the unknown parameter ${name}; known are ${parameters.join(', ')}.`);
    }
  }
  const sslMode = given.get('sslmode');
  if (sslMode !== null && !sslModes.includes(sslMode)) {
    throw new Error(`The database URL has sslmode=${sslMode}; possible are ${sslModes.join(', ')}.`);
  }
  if (sslMode === 'verify-ca' && !given.has('sslrootcert')) {
    throw new Error('The database URL has sslmode=verify-ca without sslrootcert, the file of the CA.');
  }
  const read = readUrl(text);
  const timeoutS = Number(given.get('connect_timeout') ?? 10);
  if (!(timeoutS > 0)) throw new Error('connect_timeout of the database URL must be a number of seconds above 0.');
  const host = decodeURIComponent(url.hostname);
  return {
    host,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    database: decodeURIComponent(url.pathname.slice(1)),
    password: password ?? decodeURIComponent(url.password),
    connectionTimeoutMillis: timeoutS * 1000,
    ...(given.has('application_name') ? { application_name: given.get('application_name') ?? '' } : {}),
    ...(given.has('options') ? { options: given.get('options') ?? '' } : {}),
    ...(read.ssl === undefined ? {} : { ssl: withHost(read.ssl, host) }),
    ...(read.sslnegotiation === 'direct' ? { sslnegotiation: 'direct' } : {}),
  };
}

function readUrl(text: string): ReturnType<typeof parse> {
  try {
    return parse(text, { useLibpqCompat: true });
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (path === undefined) throw error;
    throw new Error(`The file ${path} of the database URL cannot be read (${code}).`);
  }
}

// Without the host, Node compares the certificate of a server that is addressed by IP with the name `localhost`.
function withHost(ssl: NonNullable<ReturnType<typeof parse>['ssl']>, host: string): pg.ClientConfig['ssl'] {
  return typeof ssl === 'object' ? ({ ...ssl, host } as pg.ClientConfig['ssl']) : Boolean(ssl);
}

const certificateErrors = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
]);

/**
 * Returns one sentence about a refused connection whose cause is in the settings, so that a retry cannot help: TLS missing,
 * not offered, or a certificate that is not accepted. Undefined for other errors.
 */
export function connectionMistake(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = String((error as { code?: unknown }).code ?? '');
  if (code === '28000' && error.message.includes('no encryption')) {
    return `PostgreSQL accepts TLS connections only: set sslmode in the database URL, in the chart postgresql.external.sslmode (${error.message}).`;
  }
  if (error.message.includes('does not support SSL')) {
    return 'PostgreSQL does not offer TLS, but sslmode of the database URL requires it.';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `The certificate of PostgreSQL is for another host name: ${error.message}.`;
  }
  if (certificateErrors.has(code)) {
    return `The certificate of PostgreSQL is not accepted (${error.message}): set the CA by sslrootcert, in the chart postgresql.external.caSecret.`;
  }
  return undefined;
}
