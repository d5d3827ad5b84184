import { useQuery } from '@tanstack/react-query';
import { api, isApiError } from './api.ts';
import { POLL_EVENT_MS } from './polling.ts';
import { queryKeys } from './query-keys.ts';
import type { AppConfig } from './types.ts';

const DEFAULTS: AppConfig = { identity: 'own', links: {} };

let underway: Promise<AppConfig> | null = null;

/** The settings, asked of the server once for all who want them at the same time. */
export function loadAppConfig(): Promise<AppConfig> {
  underway ??= askForConfig().finally(() => {
    underway = null;
  });
  return underway;
}

async function askForConfig(): Promise<AppConfig> {
  try {
    const config = await api.get<Partial<AppConfig>>('/app-config.json', { anonymous: true, fresh: true });
    return { ...DEFAULTS, ...config, links: config.links ?? {} };
  } catch (error) {
    if (isApiError(error, 404)) return DEFAULTS;
    throw error;
  }
}

/** The server's settings for the web; the defaults until they are known. */
export function useAppConfig(): AppConfig {
  const { data } = useQuery({
    queryKey: queryKeys.appConfig,
    queryFn: loadAppConfig,
    staleTime: POLL_EVENT_MS,
    refetchInterval: POLL_EVENT_MS,
  });
  return data ?? DEFAULTS;
}
