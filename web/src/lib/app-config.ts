import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { POLL_EVENT_MS, queryKeys } from './query-keys.ts';
import type { AppConfig, KeycloakSettings } from './types.ts';

const DEFAULTS: AppConfig = { identity: 'own', links: {} };

let pending: Promise<AppConfig> | null = null;

/** Whether the page and the settings in it came from the server now: a tab may be restored with an old page. */
const isFresh = () => {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return page !== undefined && page.type !== 'back_forward' && page.transferSize > 0;
};

/** Fetches the settings. Concurrent callers share one request. */
function loadAppConfig(): Promise<AppConfig> {
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

/** Returns the settings of the start: those of the page if it is fresh. */
export const startConfig = async (): Promise<AppConfig> => (isFresh() && settingsOfPage()) || loadAppConfig();

/** Returns the server's settings for the web: those of the page until newer ones are loaded, otherwise the defaults. */
export function useAppConfig(): AppConfig {
  const { data } = useQuery({
    queryKey: queryKeys.appConfig,
    queryFn: loadAppConfig,
    initialData: settingsOfPage,
    initialDataUpdatedAt: () => (isFresh() ? performance.timeOrigin : 0),
    staleTime: POLL_EVENT_MS,
    refetchInterval: POLL_EVENT_MS,
  });
  return data ?? DEFAULTS;
}

/** Returns the address of Keycloak's realm. */
export const realmUrl = ({ url, realm }: KeycloakSettings): string =>
  `${url.replace(/\/$/, '')}/realms/${encodeURIComponent(realm)}`;
