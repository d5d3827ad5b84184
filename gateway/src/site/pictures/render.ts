import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { renderAsync } from '@resvg/resvg-js';
import { LRUCache } from 'lru-cache';
import { draw, generalScene, type Scene } from './scenes.ts';

/** Renders scenes as PNG files. */
export interface Painter {
  /** Returns the picture of a scene. Returns the general picture without a scene, and while two others are being rendered. */
  paint(scene: Scene | undefined): Promise<Buffer>;
}

const folder = join(import.meta.dirname, '../fonts');
const fontFiles = readdirSync(folder)
  .filter((name) => name.endsWith('.ttf'))
  .map((name) => join(folder, name));

const maxCachedBytes = 16 * 1024 * 1024;
// A picture takes about 50 ms on one of libuv's threads, which DNS and files use as well.
const maxConcurrent = 2;

/** Creates a painter with a cache of at most 16 MiB. Renders a picture once for concurrent requests. */
export function createPainter(): Painter {
  const cache = new LRUCache<string, Buffer>({ maxSize: maxCachedBytes, sizeCalculation: (bytes) => bytes.length });
  const rendering = new Map<string, Promise<Buffer>>();
  const general = draw(generalScene);
  const generalKey = keyOf(general);

  async function render(svg: string, key: string): Promise<Buffer> {
    const image = await renderAsync(svg, { font: { fontFiles, loadSystemFonts: false } });
    const png = image.asPng();
    cache.set(key, png);
    return png;
  }

  function paintSvg(svg: string): Promise<Buffer> {
    const key = keyOf(svg);
    const cached = cache.get(key);
    if (cached) return Promise.resolve(cached);
    const pending = rendering.get(key);
    if (pending) return pending;
    if (rendering.size >= maxConcurrent && key !== generalKey) return paintSvg(general);
    const started = render(svg, key).finally(() => rendering.delete(key));
    rendering.set(key, started);
    return started;
  }

  return { paint: async (scene) => paintSvg(scene === undefined ? general : draw(scene)) };
}

const keyOf = (svg: string) => createHash('sha256').update(svg).digest('base64url').slice(0, 22);
