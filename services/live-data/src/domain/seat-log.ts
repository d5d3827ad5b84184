import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Bytes of a seat's log that are kept, before compression. */
export const seatLogBytes = 64 * 1024;

/** The log as it is stored: a longer one loses its middle, since the first and the last lines tell most. */
export function packLog(log: string): Buffer {
  const bytes = Buffer.from(log);
  if (bytes.length <= seatLogBytes) return zstdCompressSync(bytes);
  const notice = Buffer.from('\n[… cut …]\n');
  const half = (seatLogBytes - notice.length) >> 1;
  return zstdCompressSync(Buffer.concat([bytes.subarray(0, half), notice, bytes.subarray(bytes.length - half)]));
}

export function unpackLog(packed: Uint8Array): string {
  return zstdDecompressSync(packed).toString('utf8');
}
