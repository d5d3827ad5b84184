import type { ReadinessCheck } from '@husky/runtime/process/ops-server';
import { messageOf } from '@husky/runtime/rpc/errors';
import type { Context } from './context.ts';

type Services = Pick<Context, 'auth' | 'liveData' | 'leaderboard'>;

const asAnonymous = { caller: { kind: 'anonymous' }, timeoutMs: 2000 } as const;
const cacheMs = 1000;
const defaultGracePeriodMs = 30_000;

const probeAuth = ({ auth }: Services) => auth.getKeys({}, asAnonymous);
const probeLiveData = ({ liveData }: Services) =>
  liveData.listMatches({ publicOnly: true, page: 1, pageSize: 1 }, asAnonymous);
const probeLeaderboard = ({ leaderboard }: Services) => leaderboard.getTop({ n: 1, tag: '' }, asAnonymous);

/**
 * Creates the gateway's readiness check. It passes once auth, live-data and leaderboard have responded; after `gracePeriodMs` one of them is
 * enough. From then on it always passes and reports an unavailable auth as a note, because pages that do not need auth must stay
 * available.
 */
export function createReadiness(context: Services, gracePeriodMs = defaultGracePeriodMs): ReadinessCheck {
  const graceEndsMs = performance.now() + gracePeriodMs;
  let reached = false;
  return async () => {
    if (!reached) {
      const results = await Promise.allSettled([probeAuth(context), probeLiveData(context), probeLeaderboard(context)]);
      const causes = results.flatMap((result) => (result.status === 'rejected' ? [messageOf(result.reason)] : []));
      const enough = performance.now() < graceEndsMs ? causes.length === 0 : causes.length < results.length;
      if (!enough) throw new Error(`services do not answer: ${causes.join('; ')}`);
      reached = true;
    }
    return probeAuth(context).then(
      () => undefined,
      (error: unknown) => `without auth: ${messageOf(error)}`,
    );
  };
}

/**
 * Creates the check behind `/readyz` of the site. It returns why the site is not fully available, or ''. Requests within a second share
 * one result, so that public requests cannot flood the services.
 */
export function createSiteStatus(context: Services): () => Promise<string> {
  let result: Promise<string> | undefined;
  return () => {
    result ??= checkSite(context).finally(() => {
      setTimeout(() => {
        result = undefined;
      }, cacheMs).unref();
    });
    return result;
  };
}

async function checkSite(context: Services): Promise<string> {
  try {
    const [{ identityAway }] = await Promise.all([
      probeAuth(context),
      probeLiveData(context),
      probeLeaderboard(context),
    ]);
    return identityAway ? 'Keycloak, the identity service, does not answer' : '';
  } catch (error) {
    return messageOf(error);
  }
}
