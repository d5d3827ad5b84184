import { isSignedRound, roundTime } from '@husky/match/beacon';
import { messageOf } from '@husky/runtime/rpc/errors';
import type { Context } from '../context.ts';
import type { Beacon } from '../domain/seed-list.ts';
import { awaitedRounds, storeRound } from '../store/plans.ts';

const timeoutMs = 5000;
const maxAnswerBytes = 10_000;

const longestDelayMs = 60_000;

/**
 * Returns work that fetches the rounds that plans wait for and that are due. A round that no relay gives, or that its chain has not signed, is asked for
 * again after 1 s, then 2, 4, at most 60.
 */
export function createRoundFetcher(context: Context): () => Promise<void> {
  let failures = 0;
  let nextAt = 0;
  return async () => {
    if (context.now() < nextAt) return;
    const missing = await fetchRounds(context);
    failures = missing ? failures + 1 : 0;
    nextAt = missing ? context.now() + Math.min(longestDelayMs, 500 * 2 ** failures) : 0;
  };
}

/** Returns whether a round that is due is still missing. */
async function fetchRounds({ pool, now, log, settings, worker }: Context): Promise<boolean> {
  let missing = false;
  for (const { chain: hash, round } of await awaitedRounds(pool)) {
    const { beacon } = settings;
    const isKnown = beacon?.chain.hash === hash;
    if (!isKnown) log.warn({ chain: hash, round }, 'plans wait for a beacon that is not configured');
    if (isKnown && roundTime(beacon.chain, round) > now()) continue;
    const signature = isKnown ? await fetchRound(beacon, round, log) : undefined;
    missing ||= signature === undefined;
    if (signature === undefined) continue;
    await storeRound(pool, { chain: hash, round, signature });
    worker.kick();
  }
  return missing;
}

async function fetchRound({ urls, chain }: Beacon, round: number, log: Context['log']): Promise<string | undefined> {
  for (const url of urls) {
    try {
      const path = new URL(`/${chain.hash}/public/${round}`, url);
      const response = await fetch(path, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
      const signature = response.ok ? signatureOf(await limitedText(response)) : undefined;
      if (signature !== undefined && isSignedRound(chain, { round, signature })) return signature;
      log.warn({ url, round, status: response.status }, 'the beacon answered without a signed round');
    } catch (error) {
      log.warn({ url, round, err: error }, `the beacon does not answer: ${messageOf(error)}`);
    }
  }
  return undefined;
}

async function limitedText(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > maxAnswerBytes) throw new Error(`its answer has more than ${maxAnswerBytes} bytes`);
  }
  return text;
}

function signatureOf(text: string): string | undefined {
  try {
    const { signature } = JSON.parse(text) as { readonly signature?: unknown };
    return typeof signature === 'string' && /^[0-9a-f]{96}$/.test(signature) ? signature : undefined;
  } catch {
    return undefined;
  }
}
