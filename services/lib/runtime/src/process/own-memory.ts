/**
 * Returns bytes in memory of exactly their size, for a cache. A Buffer of less than 32 KiB made from a text or by `concat`, what zlib
 * returns, and a value of pg can lie in a block of 64 KiB, which is kept as a whole as long as they are.
 */
export function ofOwnMemory(content: string | Uint8Array): Buffer<ArrayBuffer> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const { buffer, byteLength } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return Buffer.from(isOwn ? buffer : new Uint8Array(bytes).buffer);
}
