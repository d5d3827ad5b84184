import { type PublishedRecord, publishedRecord } from '@husky/match/commitment';
import type { PublishedProof } from '@husky/match/verify-match';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import type { Evidence, Verification, VerifyMessage } from './verify-file.ts';

type Shown = Verification | { readonly state: 'unavailable'; readonly reason: string };

const TIMEOUT_MS = 10 * 60 * 1000;

/** Returns the state of the verification of a match, undefined before the first one, and functions that start and cancel it. */
export function useVerification(proof: PublishedProof) {
  const [shown, setShown] = useState<Shown>();
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setShown({ state: 'running', hands: 0, of: 0 });
    try {
      const result = await verifyInWorker(proof, stop, setShown);
      if (running.current === stop) setShown(result);
    } catch (error) {
      if (running.current === stop) setShown({ state: 'unavailable', reason: messageOf(error) });
    }
  };
  const cancel = () => {
    running.current?.abort();
    running.current = null;
    setShown(undefined);
  };
  return { shown, start, cancel };
}

/** Downloads the match into a worker that verifies it. Resolves with its result, rejects if the data could not be loaded. */
async function verifyInWorker(
  proof: PublishedProof,
  stop: AbortController,
  onProgress: (progress: Verification) => void,
): Promise<Verification> {
  const { signal } = stop;
  const [links, { keys }] = await Promise.all([
    fetchLinks(proof.record, signal),
    api.get('/live/signed-head', { signal }),
  ]);
  const worker = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' });
  const send = (message: VerifyMessage) => worker.postMessage(message);
  try {
    const result = new Promise<Verification>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Verification>) => {
        if (data.state === 'running') {
          if (!signal.aborted) onProgress(data);
        } else resolve(data);
      });
      worker.addEventListener('error', () => reject(new Error('The verification could not be run in this browser.')));
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    send({ ...proof, links, keys: keys.map(({ key }) => key) } satisfies Evidence);
    const sent = download(proof.jobId, signal, send).then(() => result);
    return await Promise.race([result, sent]);
  } finally {
    stop.abort();
    worker.terminate();
  }
}

/** Returns the records of the chain from the one before the match's record on, at most 1,000. */
async function fetchLinks(record: PublishedRecord | null, signal: AbortSignal): Promise<PublishedRecord[]> {
  if (record === null) return [];
  const query = { after: Math.max(0, record.number - 2), limit: 1000 };
  const { commitments } = await api.get('/live/commitments', { query, signal });
  return commitments.map(publishedRecord);
}

async function download(id: string, signal: AbortSignal, send: (message: VerifyMessage) => void): Promise<void> {
  const read = async ({ body }: Response) => {
    const reader = body?.getReader();
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) send(part.value);
    send(null);
  };
  await api.read('/live/job/{id}/download', read, {
    params: { id },
    query: { format: 'jsonl' },
    signal,
    timeoutMs: TIMEOUT_MS,
  });
}
