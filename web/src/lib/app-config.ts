import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { POLL_EVENT_MS, queryKeys } from './query-keys.ts';
import type { AppConfig, KeycloakSettings } from './types.ts';

const DEFAULTS: AppConfig = { identity: 'own', links: {} };

let pending: Promise<AppConfig> | null = null;

/** Fetches the settings. Concurrent callers share one request. */
export function loadAppConfig(): Promise<AppConfig> {
  pending ??= api.get('/app-config.json', { anonymous: true, fresh: true }).finally(() => {
    pending = null;
  });
  return pending;
}

/** Returns the settings that the gateway put into the page; undefined in development, where Vite serves it. */
function settingsOfPage(): AppConfig | undefined {
  const text = document.querySelector('meta[name="app-config"]')?.getAttribute('content') ?? '';
  return text === '' ? undefined : (JSON.parse(text) as AppConfig);
}

/** Returns the server's settings for the web: those of the page until newer ones are loaded, otherwise the defaults. */
export function useAppConfig(): AppConfig {
  const { data } = useQuery({
    queryKey: queryKeys.appConfig,
    queryFn: loadAppConfig,
    initialData: settingsOfPage,
    // A tab may be restored with an old page.
    initialDataUpdatedAt: 0,
    staleTime: POLL_EVENT_MS,
    refetchInterval: POLL_EVENT_MS,
  });
  return data ?? DEFAULTS;
}

/** Returns the address of Keycloak's realm. */
export const realmUrl = ({ url, realm }: KeycloakSettings): string =>
  `${url.replace(/\/$/, '')}/realms/${encodeURIComponent(realm)}`;
