// `make screens` saves a screenshot of every screen, desktop and phone, to test-results/screens, and renews those of docs/screens, which
// documents show. Uses the running platform of ORIGIN and ADMIN_PASSWORD, or starts a fresh one.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { startPlatform } from '../../gateway/e2e/platform.ts';
import { chromiumOptions } from './chromium.ts';
import { type Screen, screens } from './screen-list.ts';
import { buildWorld, type World } from './world.ts';

const root = join(import.meta.dirname, '../..');
const folder = resolve(process.env.SCREENS_DIR ?? join(root, 'test-results/screens'));
/** The pictures that documents show. */
const shown = join(root, 'docs/screens');
const only = process.argv.slice(2);
const quality = 82;
const devices = [
  { name: 'desktop', width: 1440, height: 900, maxHeight: 2600 },
  { name: 'phone', width: 390, height: 844, maxHeight: 3200 },
] as const;

async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const ready = () =>
    page.waitForFunction(() => !/Loading|Drawing graph/.test(document.querySelector('main')?.textContent ?? ''));
  await ready();
  // Graphs and tables are drawn once they are in view.
  const height = page.viewportSize()?.height ?? 900;
  const end = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let top = 0; top < end; top += height) {
    await page.evaluate((to) => window.scrollTo(0, to), top);
    await page.waitForTimeout(150);
    await ready();
  }
  for (const graph of await page.locator('.chart-drawing').all()) await graph.locator('.main-svg').first().waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(300);
}

/** Saves a screenshot with Chromium's WebP encoder: a quarter of the size of a PNG, without another tool. */
async function capture(page: Page, maxHeight: number | null, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { width, height } = await page.evaluate(() => {
    // The gutter of the scrollbar would be visible in a screenshot beyond the viewport and would change the text's wrapping.
    document.documentElement.style.scrollbarGutter = 'auto';
    return {
      width: document.documentElement.clientWidth,
      height: document.documentElement.scrollHeight,
    };
  });
  const whole = {
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, maxHeight ?? 0), scale: 1 },
  };
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality,
    ...(maxHeight === null ? {} : whole),
  });
  writeFileSync(path, Buffer.from(data, 'base64'));
}

async function takeScreenshot(context: BrowserContext, screen: Screen, world: World, device: (typeof devices)[number]) {
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  try {
    await page.goto(screen.path(world));
    await settle(page);
    await screen.prepare?.(page, world);
    if (screen.prepare) await settle(page);
    await capture(page, screen.viewport ? null : device.maxHeight, join(folder, `${screen.name}-${device.name}.webp`));
  } finally {
    await page.close();
  }
}

function indexText(): string {
  const rows = screens.map(
    ({ name, title, as }) =>
      `| ${title} | ${as ?? 'anyone'} | ![${title}, desktop](${name}-desktop.webp) | ![${title}, phone](${name}-phone.webp) |`,
  );
  return `# Screens

Every screen at 1440 and 390 px, made by \`make screens\` from a fresh platform with seeded data. Tall pages are cut.

| Screen | As | Desktop | Phone |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

async function main(): Promise<void> {
  const started = process.env.ORIGIN
    ? {
        platform: { origin: process.env.ORIGIN, adminPassword: process.env.ADMIN_PASSWORD ?? '' },
        stop: async () => undefined,
      }
    : await startPlatform();
  const browser = await chromium.launch(chromiumOptions());
  try {
    const { origin, adminPassword } = started.platform;
    const world = await buildWorld(origin, adminPassword);
    mkdirSync(folder, { recursive: true });
    if (only.length === 0)
      for (const file of readdirSync(folder)) if (file.endsWith('.webp')) rmSync(join(folder, file));
    for (const device of devices) {
      for (const screen of screens) {
        if (only.length > 0 && !only.includes(screen.name)) continue;
        const account = screen.as ? world[screen.as] : undefined;
        const context = await browser.newContext({
          baseURL: origin,
          viewport: { width: device.width, height: device.height },
          reducedMotion: 'reduce',
          colorScheme: 'dark',
          isMobile: device.name === 'phone',
          hasTouch: device.name === 'phone',
          storageState: {
            cookies: [],
            origins: [{ origin, localStorage: account ? [{ name: 'token', value: account.token }] : [] }],
          },
        });
        await takeScreenshot(context, screen, world, device);
        await context.close();
        console.log(`${screen.name} (${device.name})`);
      }
    }
    writeFileSync(join(folder, 'README.md'), indexText());
    for (const file of readdirSync(shown)) {
      if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(shown, file));
    }
  } finally {
    await browser.close();
    await started.stop();
  }
}

await main();
