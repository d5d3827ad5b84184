import { type ComponentType, lazy } from 'react';

const DELAYS_MS = [500, 2000];

/**
 * Loads a chunk of the site. A failed load is retried twice, after 0.5 s and 2 s, because a change of the network often fails only one request.
 * Throws the last error. `wait` is replaced in tests.
 */
export async function retryImport<T>(load: () => Promise<T>, wait = delay): Promise<T> {
  for (const ms of DELAYS_MS) {
    try {
      return await load();
    } catch {
      await wait(ms);
      await reloadFailedStyles();
    }
  }
  return load();
}

/** As React's `lazy`, for a named export of a chunk, which is loaded as by retryImport. */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await retryImport(load) }));

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Replaces the style sheets that failed to load, because Vite requests the style sheet of a chunk only once. */
async function reloadFailedStyles(): Promise<void> {
  const failed = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(
    ({ sheet }) => !sheet,
  );
  await Promise.all(
    failed.map(
      (link) =>
        new Promise((resolve) => {
          const replacement = link.cloneNode() as HTMLLinkElement;
          replacement.onload = resolve;
          replacement.onerror = resolve;
          link.replaceWith(replacement);
        }),
    ),
  );
}
