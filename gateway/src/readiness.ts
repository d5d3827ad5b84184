import { messageOf } from '@husky/runtime/errors';
import type { ReadinessCheck } from '@husky/runtime/ops-server';
import type { Context } from './context.ts';

type Services = Pick<Context, 'auth' | 'liveData' | 'leaderboard'>;

const asNobody = { caller: { kind: 'anonymous' }, timeoutMs: 2000 } as const;
const sharedMs = 1000;
const defaultPatienceMs = 30_000;

const askAuth = ({ auth }: Services) => auth.getKeys({}, asNobody);
const askLiveData = ({ liveData }: Services) =>
  liveData.listMatches({ publicOnly: true, page: 1, pageSize: 1 }, asNobody);
const askLeaderboard = ({ leaderboard }: Services) => leaderboard.getTop({ n: 1, tag: '' }, asNobody);

/**
 * Returns the gateway's readiness check: ready once auth, live-data and leaderboard have answered, and `patienceMs` after its start as soon
 * as one of them has. Later an unavailable service is only noted, because the pages that do not need it must stay.
 */
export function createReadiness(context: Services, patienceMs = defaultPatienceMs): ReadinessCheck {
  const patientUntil = performance.now() + patienceMs;
  let reached = false;
  return async () => {
    if (!reached) {
      const answers = await Promise.allSettled([askAuth(context), askLiveData(context), askLeaderboard(context)]);
      const causes = answers.flatMap((answer) => (answer.status === 'rejected' ? [messageOf(answer.reason)] : []));
      const enough = performance.now() < patientUntil ? causes.length === 0 : causes.length < answers.length;
      if (!enough) throw new Error(`services do not answer: ${causes.join('; ')}`);
      reached = true;
    }
    return askAuth(context).then(
      () => undefined,
      (error: unknown) => `without auth: ${messageOf(error)}`,
    );
  };
}

/** Returns a function that says why the site is not complete; '' when it is. Requests within a second share one answer, so that anybody may ask. */
export function createSiteStatus(context: Services): () => Promise<string> {
  let answer: Promise<string> | undefined;
  return () => {
    answer ??= statusOf(context).finally(() => {
      setTimeout(() => {
        answer = undefined;
      }, sharedMs).unref();
    });
    return answer;
  };
}

async function statusOf(context: Services): Promise<string> {
  try {
    const [{ identityAway }] = await Promise.all([askAuth(context), askLiveData(context), askLeaderboard(context)]);
    return identityAway ? 'Keycloak, the identity service, does not answer' : '';
  } catch (error) {
    return messageOf(error);
  }
}
