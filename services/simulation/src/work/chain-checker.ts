import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { brokenLink, type ChainPosition, chainBeginning, positionAfter } from '../domain/commitment-chain.ts';
import { readChainCheck, storeBroken, storeIntact } from '../store/chain-check.ts';
import { listCommitments } from '../store/commitments.ts';
import { keepSeedLists } from '../store/seed-lists.ts';

const pageSize = 5000;
const everyMs = 60 * 60_000;
const whileBrokenMs = 60_000;

/**
 * Checks every record of the chain and stores the result. Also finds a chain that is intact in itself but is not the one that an earlier check
 * has seen. Returns what is wrong; empty: nothing.
 */
export async function checkChain({ pool, now, log, worker }: Context): Promise<string> {
  const before = await readChainCheck(pool);
  const { problem, head } = await readChain();
  if (problem === '') await storeIntact(pool, head, now());
  else await storeBroken(pool, problem, now());
  if (problem !== '') log.error({ problem }, `the chain of commitments is broken: ${problem}`);
  else if (before?.problem) {
    log.info('the chain of commitments is intact again');
    worker.kick();
  }
  return problem;

  async function readChain(): Promise<{ problem: string; head: ChainPosition }> {
    const seen = { number: before?.verifiedNumber ?? 0, hash: before?.verifiedHash ?? '' };
    let head = chainBeginning;
    for (;;) {
      const records = await listCommitments(pool, head.number, pageSize);
      for (const record of records) {
        const broken = brokenLink(head, record);
        if (broken !== undefined) return { problem: broken, head };
        if (record.number === seen.number && record.hash !== seen.hash) {
          return { problem: `The chain up to record ${seen.number} is not the one that was verified before.`, head };
        }
        head = positionAfter(head, record);
      }
      if (records.length < pageSize) break;
      await nextTurn();
    }
    if (head.number >= seen.number) return { problem: '', head };
    return { problem: `Record ${head.number + 1} of the chain is missing.`, head };
  }
}

/** Returns work that checks the chain at the start and hourly, and every minute while it is broken. */
export function createChainChecker(context: Context): () => Promise<void> {
  let dueAt = 0;
  return async () => {
    if (context.now() < dueAt) return;
    const problem = await checkChain(context);
    if (problem === '') await keepSeedLists(context.pool, context.now());
    dueAt = context.now() + (problem === '' ? everyMs : whileBrokenMs);
  };
}
