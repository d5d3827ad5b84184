import { HttpError } from '../../http/errors.ts';

/** The requested bytes of a file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
  /** Only some bytes were requested: status 206. */
  readonly partial: boolean;
}

/**
 * Parses the Range header for a file of `size` bytes (RFC 9110, 14.2). Returns the whole file for several ranges and other units. Throws
 * 416 for a range after the end.
 */
export function parseRange(header: string, size: number): ByteRange {
  const whole = { offset: 0, length: size, partial: false };
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (first === '' && last === '') return whole;
  const offset = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (end <= offset && first !== '' && last !== '' && Number(last) < Number(first)) return whole;
  if (offset >= size || end <= offset) {
    const headers = { 'Content-Range': `bytes */${size}` };
    throw new HttpError(416, 'range-not-satisfiable', `The file has ${size} bytes.`, { headers });
  }
  return { offset, length: end - offset, partial: true };
}
