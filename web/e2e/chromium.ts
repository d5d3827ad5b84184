import { existsSync } from 'node:fs';
import type { LaunchOptions } from 'playwright-core';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** How Debian's Chromium is started; CHROMIUM names another one. */
export function chromiumOptions(): LaunchOptions {
  const executablePath = process.env.CHROMIUM ?? candidates.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('Chromium is needed: apt-get install chromium');
  return {
    executablePath,
    headless: true,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
    ],
  };
}
