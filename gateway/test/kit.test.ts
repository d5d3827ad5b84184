// The local kit over a real gateway.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEdge } from './edge.ts';

const wheel = Buffer.from('the bytes of a wheel'.repeat(100));
const file = 'husky_holdem-1.2.3-py3-none-any.whl';
const sha256 = createHash('sha256').update(wheel).digest('hex');

async function startSite(withKit: boolean): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'husky-kit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>site</title>');
  if (withKit) {
    mkdirSync(join(folder, 'kit'));
    writeFileSync(join(folder, 'kit', file), wheel);
    writeFileSync(join(folder, 'kit/conformance.json'), '{"cases":[]}');
    const versions = { version: '1.2.3', rules_version: 1, protocol_version: 1, requires_python: '>=3.10' };
    writeFileSync(
      join(folder, 'kit/index.json'),
      JSON.stringify({ ...versions, file, sha256, size: wheel.length, sources: 'x' }),
    );
  }
  const edge = await startEdge({}, { settings: { PUBLIC_URL: 'https://play.example.org/', WEB_DIR: folder } });
  onTestFinished(() => edge.stop());
  return edge.origin;
}

test('describes the kit with the command that installs it', async () => {
  const origin = await startSite(true);
  const response = await fetch(`${origin}/kit/index.json`);
  expect(response.status).toBe(200);
  const kit = (await response.json()) as { url: string };
  expect(kit).toMatchObject({ version: '1.2.3', rules_version: 1, file, sha256, size: wheel.length });
  expect(kit).toMatchObject({ install: `pip install ${kit.url}`, install_uv: `uv tool install ${kit.url}` });
  expect(kit.url).toBe(`https://play.example.org/kit/${file}`);
  expect(kit).not.toHaveProperty('sources');
});

test('sends the wheel with its type, its length and a tag, and nothing when the tag is unchanged', async () => {
  const origin = await startSite(true);
  const first = await fetch(`${origin}/kit/${file}`);
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('application/zip');
  expect(first.headers.get('content-length')).toBe(String(wheel.length));
  expect(Buffer.from(await first.arrayBuffer()).equals(wheel)).toBe(true);
  const tag = first.headers.get('etag') ?? '';
  expect(tag).not.toBe('');
  const again = await fetch(`${origin}/kit/${file}`, {
    // Without this header fetch sends no-cache, which requests the whole response.
    headers: { 'if-none-match': tag, 'cache-control': 'max-age=0' },
  });
  expect(again.status).toBe(304);
});

test('serves a package index for pip', async () => {
  const origin = await startSite(true);
  const html = await (await fetch(`${origin}/kit/simple/husky-holdem/`, { headers: { accept: 'text/html' } })).text();
  expect(html).toContain(`href="../../${file}#sha256=${sha256}" data-requires-python="&gt;=3.10"`);
});

test('sends the conformance suite as JSON', async () => {
  const response = await fetch(`${await startSite(true)}/kit/conformance.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual({ cases: [] });
});

test.each(['/kit/index.json', `/kit/${file}`, '/kit/simple/husky-holdem/', '/kit/conformance.json'])(
  'reports at %s that the site has no kit',
  async (path) => {
    const origin = await startSite(false);
    const response = await fetch(`${origin}${path}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ reason: 'no-kit' });
  },
);

test('serves no wheel with another name, and no file outside its folder', async () => {
  const origin = await startSite(true);
  for (const name of ['husky_holdem-1.0.0-py3-none-any.whl', '..%2Findex.whl'])
    expect((await fetch(`${origin}/kit/${name}`)).status).toBe(404);
});
