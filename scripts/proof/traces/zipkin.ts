import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { chromiumOptions } from '../../../web/e2e/chromium.ts';
import type { ReceivedSpan } from './otlp.ts';

const spansInRequest = 500;
/** On a busy machine the page needs seconds after it has loaded. */
const loadMs = 120_000;
/** Zipkin's names of OTLP's kinds of spans; other kinds have none. */
const kinds: Readonly<Record<number, string>> = { 2: 'SERVER', 3: 'CLIENT', 4: 'PRODUCER', 5: 'CONSUMER' };

/** Converts a span to the JSON of Zipkin's API (https://zipkin.io/zipkin-api). Links become a tag, because Zipkin has none. */
export function toZipkin(span: ReceivedSpan): object {
  const { traceId, spanId, parentId, name, kind, service, startMs, endMs, failed, attributes, links } = span;
  const tags = Object.entries({
    ...attributes,
    ...(failed ? { error: 'true' } : {}),
    ...(links.length > 0 ? { 'linked traces': links.join(' ') } : {}),
  });
  return {
    traceId,
    id: spanId,
    ...(parentId === '' ? {} : { parentId }),
    name,
    ...(kinds[kind] === undefined ? {} : { kind: kinds[kind] }),
    timestamp: Math.round(startMs * 1000),
    // Zipkin ignores a duration of 0.
    duration: Math.max(1, Math.round((endMs - startMs) * 1000)),
    localEndpoint: { serviceName: service },
    tags: Object.fromEntries(tags.map(([key, value]) => [key, String(value)])),
  };
}

/** Sends spans to the Zipkin server at `origin`. */
export async function sendToZipkin(origin: string, spans: readonly ReceivedSpan[]): Promise<void> {
  for (let at = 0; at < spans.length; at += spansInRequest) {
    const response = await fetch(`${origin}/api/v2/spans`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(spans.slice(at, at + spansInRequest).map(toZipkin)),
    });
    if (!response.ok) throw new Error(`Zipkin at ${origin} returned ${response.status}: ${await response.text()}`);
  }
}

/** Saves a picture of Zipkin's page of a match's trace as WebP, with the attributes of the runner's span. */
export async function captureTrace(url: string, file: string): Promise<void> {
  const browser = await chromium.launch(chromiumOptions());
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.getByText('runner: play match').click({ timeout: loadMs });
    await page.getByText('husky.runner').first().waitFor();
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
    writeFileSync(file, Buffer.from(data, 'base64'));
  } finally {
    await browser.close();
  }
}
