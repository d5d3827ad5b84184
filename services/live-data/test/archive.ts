import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { fromBufferPromise } from 'yauzl';

type Rows = Record<string, unknown>[];

/** Reads the archive of an export: the paths and contents of its files, its manifest, and a function that reads a table. */
export async function readArchive(bytes: Buffer) {
  const contents = new Map<string, Buffer>();
  const zip = await fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) {
    const parts: Buffer[] = [];
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
    contents.set(entry.fileName, Buffer.concat(parts));
  }
  const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
  return {
    files: [...contents.keys()],
    contents,
    manifest: JSON.parse(String(contents.get('manifest.json'))) as Record<string, unknown>,
    async table(name: string): Promise<Rows> {
      const rows: Rows = [];
      for (const [path, content] of contents) {
        if (!path.startsWith(`${name}/`)) continue;
        const file = new Uint8Array(content).buffer;
        rows.push(...(await parquetReadObjects({ file, compressors })));
      }
      return rows;
    },
  };
}
