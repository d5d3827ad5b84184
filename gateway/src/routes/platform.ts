import { licenseOf } from '@husky/runtime/process/data-license';
import type { Telemetry } from '@husky/runtime/telemetry/telemetry';
import { z } from 'zod';
import type { Config, KeycloakClient } from '../config.ts';
import type { Context } from '../context.ts';
import { type Route, reply, route } from '../http/route.ts';
import { time } from '../http/schema.ts';
import { sourceArchive } from '../http/web-app.ts';
import { createSiteStatus } from '../readiness.ts';

export type PlatformSettings = Partial<
  Pick<
    Config,
    'SOURCE_URL' | 'DATASET_URL' | 'WIKI_URL' | 'DATA_LICENSE' | 'WEB_DIR' | 'PUBLIC_URL' | 'METRICS_ON_SITE'
  >
> & {
  readonly keycloak?: KeycloakClient | undefined;
};

const appConfig = z.object({
  identity: z.enum(['own', 'keycloak']),
  keycloak: z.object({ url: z.url(), realm: z.string(), clientId: z.string() }).optional(),
  banner: z.string().optional(),
  frozen: z.boolean().optional(),
  submissions: z
    .object({ open: z.boolean(), reason: z.string() })
    .optional()
    .describe('whether uploads and test runs are accepted, by the rule that refuses them'),
  frozen_since: time.optional().describe('while frozen'),
  tournament: z.object({ start: time, end: time }).optional(),
  tournaments: z.boolean().optional().describe('there is a tournament to show'),
  data_license: z
    .object({ name: z.string(), text: z.string() })
    .optional()
    .describe('of the data: SPDX id and address'),
  links: z.object({ source: z.string().optional(), dataset: z.string().optional(), wiki: z.string().optional() }),
});
const health = z.object({ status: z.string() });

/** Only a freeze closes uploads, final marks, test runs and new matches: the tournament's window is shown, not enforced. */
const submissionsOf = ({ frozen }: { readonly frozen: boolean }) =>
  frozen
    ? { open: false, reason: 'Uploads and test runs are refused while the event is frozen.' }
    : { open: true, reason: 'Uploads and test runs are accepted.' };

/** Returns the settings that the web app needs before it can render a page. The event's settings are at most 3 s old. */
export async function readAppConfig(
  settings: PlatformSettings,
  context: Pick<Context, 'eventSettings'>,
): Promise<z.output<typeof appConfig>> {
  const event = await context.eventSettings.current();
  const source = settings.SOURCE_URL || sourceArchive(settings.WEB_DIR);
  return {
    ...(settings.keycloak
      ? { identity: 'keycloak' as const, keycloak: settings.keycloak }
      : { identity: 'own' as const }),
    ...(event === undefined
      ? {}
      : {
          ...(event.banner === '' ? {} : { banner: event.banner }),
          frozen: event.frozen,
          submissions: submissionsOf(event),
          ...(event.frozenAt === '' ? {} : { frozen_since: event.frozenAt }),
          tournament: { start: event.tournamentStart, end: event.tournamentEnd },
          ...(context.eventSettings.hasTournaments() ? { tournaments: true } : {}),
        }),
    ...(settings.DATA_LICENSE ? { data_license: licenseOf(settings.DATA_LICENSE) } : {}),
    links: {
      ...(source ? { source } : {}),
      ...(settings.DATASET_URL ? { dataset: settings.DATASET_URL } : {}),
      ...(settings.WIKI_URL ? { wiki: settings.WIKI_URL } : {}),
    },
  };
}

/** Returns the routes for health, readiness, metrics, keys and the web app's settings. */
export function platformRoutes(settings: PlatformSettings, telemetry: Pick<Telemetry, 'metricsText'>): Route[] {
  let siteStatus: (() => Promise<string>) | undefined;
  const routes = [
    route('GET /healthz', {
      access: 'anyone',
      summary: 'The gateway responds',
      response: health,
      handle: async () => ({ status: 'ok' }),
    }),
    route('GET /readyz', {
      access: 'anyone',
      summary: 'The gateway can reach the services',
      response: health,
      async handle({ context }) {
        siteStatus ??= createSiteStatus(context);
        const problem = await siteStatus();
        if (problem === '') return { status: 'ready' };
        // Kubernetes probes another endpoint: public routes may still work, so the pod must keep its traffic.
        return reply({ status: 503, body: { status: `not ready: ${problem}` } });
      },
    }),
    route('GET /metrics', {
      access: 'anyone',
      summary: "The gateway's metrics in Prometheus' format",
      response: 'file',
      handle: async () =>
        reply({ body: await telemetry.metricsText(), headers: { 'Content-Type': 'text/plain; version=0.0.4' } }),
    }),
    route('GET /.well-known/jwks.json', {
      access: 'anyone',
      summary: 'Public keys that access tokens are signed with',
      response: z.looseObject({}),
      async handle({ context, caller }) {
        return JSON.parse((await context.auth.getKeys({}, { caller })).jwksJson) as object;
      },
    }),
    route('GET /app-config.json', {
      access: 'anyone',
      summary: "Settings of the web app, and of the event: the organisers' banner, freeze and tournament window",
      response: appConfig,
      async handle({ context }) {
        const body = await readAppConfig(settings, context);
        return reply({ body, headers: { 'Cache-Control': 'public, max-age=5' } });
      },
    }),
  ];
  return settings.METRICS_ON_SITE === false ? routes.filter(({ path }) => path !== '/metrics') : routes;
}
