import busboy from 'busboy';
import type Koa from 'koa';
import { HttpError } from './errors.ts';

export interface UploadedFile {
  readonly fileName: string;
  readonly data: Buffer;
}

/** Largest file that participants may upload, in bytes. */
export const maxFileBytes = 1024 * 1024;
const maxParts = 8;

/** Reads a multipart/form-data request: 415 for another type, 413 for a file over 1 MiB, 422 for a broken body. */
export function readMultipart(ctx: Koa.Context): Promise<Map<string, UploadedFile>> {
  if (!ctx.is('multipart/form-data')) {
    throw new HttpError(415, 'media-type', 'The request must be multipart/form-data');
  }
  if ((ctx.request.length ?? 0) > 3 * maxFileBytes) throw tooLarge('The upload');
  const broken = (why: string) => new HttpError(422, 'validation', `The form could not be read: ${why}`);
  return new Promise((resolve, reject) => {
    const files = new Map<string, UploadedFile>();
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: ctx.req.headers,
        defParamCharset: 'utf8',
        limits: {
          fileSize: maxFileBytes,
          files: maxParts,
          fields: maxParts,
          fieldSize: 64 * 1024,
          parts: 2 * maxParts,
        },
      });
    } catch (error) {
      reject(broken(error instanceof Error ? error.message : 'unknown'));
      return;
    }
    const fail = (error: HttpError) => {
      ctx.req.unpipe(parser);
      ctx.req.resume();
      reject(error);
    };
    parser.on('file', (field, stream, info) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      // A body that ends in the middle of a file is an error of the file as well as of the form.
      stream.on('error', (error) => fail(broken(error.message)));
      stream.on('limit', () => fail(tooLarge(info.filename || field)));
      stream.on('close', () => files.set(field, { fileName: info.filename ?? '', data: Buffer.concat(parts) }));
    });
    parser.on('filesLimit', () => fail(broken('too many files')));
    parser.on('error', (error) => fail(broken(error instanceof Error ? error.message : 'unknown')));
    parser.on('close', () => resolve(files));
    ctx.req.on('aborted', () => fail(broken('the connection ended')));
    ctx.req.pipe(parser);
  });
}

function tooLarge(what: string): HttpError {
  return new HttpError(413, 'file-too-large', `${what} is larger than 1 MiB`);
}
