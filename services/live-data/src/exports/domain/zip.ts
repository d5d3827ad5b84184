import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive, with its offset (APPNOTE.TXT of PKWARE, 6.3.10, without zip64). */
export interface ZipEntry {
  readonly path: string;
  /** 0: stored, 8: deflated. */
  readonly method: number;
  readonly crc: number;
  readonly size: number;
  readonly storedSize: number;
  /** Offset of its header from the start of the archive. */
  readonly offset: number;
}

export interface PackedFile extends Omit<ZipEntry, 'offset'> {
  readonly bytes: Uint8Array;
}

/** Maximum size, and number of files, of an archive without zip64. */
export const MAX_ZIP_BYTES = 2 ** 32 - 1;
export const MAX_ZIP_FILES = 2 ** 16 - 1;

const version = 20;
const utf8Names = 0x0800;

/** Prepares a file for an archive. Texts are deflated; Parquet files are compressed already. */
export function packFile(path: string, content: Uint8Array, compress: boolean): PackedFile {
  const bytes = compress ? deflateRawSync(content) : content;
  return {
    path,
    method: compress ? 8 : 0,
    crc: crc32(content),
    size: content.byteLength,
    storedSize: bytes.byteLength,
    bytes,
  };
}

/** Returns the header that precedes a file's bytes. */
export function localHeader(entry: Omit<ZipEntry, 'offset'>, time: Date): Buffer {
  const name = Buffer.from(entry.path);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeCommon(header, 4, entry, time);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

/** Returns the directory that ends an archive. `offset`: its position, after the last file. */
export function centralDirectory(entries: readonly ZipEntry[], offset: number, time: Date): Buffer {
  const headers = entries.map((entry) => {
    const name = Buffer.from(entry.path);
    const header = Buffer.alloc(46);
    header.writeUInt32LE(0x02014b50, 0);
    header.writeUInt16LE(version, 4);
    writeCommon(header, 6, entry, time);
    header.writeUInt16LE(name.length, 28);
    header.writeUInt32LE(entry.offset, 42);
    return Buffer.concat([header, name]);
  });
  const size = headers.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...headers, end]);
}

/** Writes the fields that both kinds of headers share, from the version on. */
function writeCommon(header: Buffer, at: number, entry: Omit<ZipEntry, 'offset'>, time: Date): void {
  const date = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  header.writeUInt16LE(version, at);
  header.writeUInt16LE(utf8Names, at + 2);
  header.writeUInt16LE(entry.method, at + 4);
  header.writeUInt16LE(clock, at + 6);
  header.writeUInt16LE(date, at + 8);
  header.writeUInt32LE(entry.crc, at + 10);
  header.writeUInt32LE(entry.storedSize, at + 14);
  header.writeUInt32LE(entry.size, at + 18);
}
