import { existsSync } from 'node:fs';
import type { LaunchOptions } from 'playwright-core';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Returns the launch options for Debian's Chromium, or for the executable in CHROMIUM. Throws if there is none. */
export function chromiumOptions(): LaunchOptions {
  const executablePath = process.env.CHROMIUM ?? candidates.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('Chromium is needed: apt-get install chromium');
  return {
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
    ],
  };
}
