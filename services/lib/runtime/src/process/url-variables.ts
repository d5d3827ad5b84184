import { z } from 'zod';

interface UrlRule {
  /** Without the colon. */
  readonly schemes: readonly string[];
  readonly example: string;
  /** What is said about a path that is not permitted; undefined: a path is permitted. */
  readonly noPath?: string;
  readonly query?: boolean;
  readonly fragment?: boolean;
  readonly credentials?: boolean;
  /** Paths are appended to the URL: slashes at its end are removed. */
  readonly base?: boolean;
  /** A path on the site is permitted in place of a URL. */
  readonly sitePath?: boolean;
  readonly noPort?: boolean;
}

const hasBadEscape = (text: string): boolean => /%(?![0-9a-f]{2})/i.test(text);

/** Returns what is wrong with a URL, to follow the name of its variable; undefined: nothing. The value is not repeated, since it may hold a password. */
function problemOf(text: string, rule: UrlRule): string | undefined {
  const { schemes, example } = rule;
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain spaces or line breaks';
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || !schemes.includes(scheme)) {
    return `must begin with ${schemes.map((one) => `${one}://`).join(' or ')}, as in ${example}`;
  }
  const authority = text.slice(scheme.length + 3).split(/[/?#\\]/, 1)[0] ?? '';
  const port = /:(\d+)$/.exec(authority)?.[1];
  if (port !== undefined && rule.noPort) return `must not have a port, as in ${example}`;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return 'must have a port from 1 to 65535';
  if (authority.replace(/^.*@/, '').replace(/:\d*$/, '') === '') return `has no host, as in ${example}`;
  if (!URL.canParse(text)) {
    const hint = rule.credentials ? '; special characters of a user name or password must be percent-encoded' : '';
    return `is not a URL such as ${example}${hint}`;
  }
  const url = new URL(text);
  if (!rule.credentials && authority.includes('@')) return 'must not contain a user name or password';
  if (hasBadEscape(url.username) || hasBadEscape(url.password)) {
    return 'has a % in its user name or password that is not percent-encoded (%25)';
  }
  if (rule.noPath !== undefined && !/^\/*$/.test(url.pathname)) return rule.noPath;
  if (!rule.query && text.split('#', 1)[0]?.includes('?')) return 'must not have a query (?)';
  if (!rule.fragment && text.includes('#')) return 'must not have a fragment (#)';
  return undefined;
}

/** Returns the schema of a URL variable: checks the value by the rule and returns it in its normal form. */
function urlOf(rule: UrlRule) {
  return z.string().transform((text, context) => {
    if (rule.sitePath && /^\/(?![/\\])[^\s\\]*$/.test(text)) return text;
    const problem = problemOf(text, rule);
    if (problem !== undefined) {
      context.addIssue({ code: 'custom', message: rule.sitePath ? `${problem}, or be a path of the site` : problem });
      return z.NEVER;
    }
    const { href } = new URL(text);
    return rule.base ? href.replace(/\/+$/, '') : href;
  });
}

const http = ['http', 'https'];
const link = { schemes: http, example: 'https://example.org/page', query: true, fragment: true, sitePath: true };
const keycloak = { schemes: http, example: 'https://id.example.org', base: true };

/** The address of a site: a scheme and a host, without a path. In normal form it is the origin. */
export const siteUrl = urlOf({
  schemes: http,
  example: 'https://holdem.example.org',
  base: true,
  noPath: 'must not have a path: the site needs a host of its own, as in https://holdem.example.org',
});

/** The URLs that operators set, checked and in normal form. */
export const urlVariables = {
  PUBLIC_URL: siteUrl,
  KEYCLOAK_URL: urlOf(keycloak),
  KEYCLOAK_INTERNAL_URL: urlOf(keycloak),
  SMTP_URL: urlOf({
    schemes: ['smtp', 'smtps'],
    example: 'smtps://user:password@mail.example.org',
    credentials: true,
    query: true,
    noPath: 'must not have a path',
  }),
  PACKAGE_INDEX_URL: urlOf({
    schemes: http,
    example: 'https://pypi.example.org/simple',
    credentials: true,
    query: true,
  }),
  SOURCE_URL: urlOf(link),
  DATASET_URL: urlOf(link),
  WIKI_URL: urlOf(link),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf({
    schemes: http,
    example: 'http://collector.example.org:4318',
    credentials: true,
    base: true,
  }),
};

/** A bucket for copies, and its server. */
export const endpointUrl = urlOf({ schemes: http, example: 'https://s3.example.org', base: true });
export const bucketUrl = urlOf({ schemes: ['s3'], example: 's3://bucket/prefix', noPort: true });
export const natsUrl = urlOf({
  schemes: ['nats', 'tls'],
  example: 'nats://nats.example.org:4222',
  noPath: 'must not have a path',
});
export const databaseUrl = urlOf({
  schemes: ['postgresql', 'postgres'],
  example: 'postgresql://role@db.example.org/husky',
  credentials: true,
  query: true,
});
