import busboy from 'busboy';
import type Koa from 'koa';
import { HttpError } from './errors.ts';

export interface UploadedFile {
  readonly fileName: string;
  readonly data: Buffer;
}

/** The files that a route requires. */
export interface MultipartForm {
  /** Form fields accepted for each file, by the file's name. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** One sentence for the user when a file is missing. */
  readonly missing: string;
}

const maxFileBytes = 1024 * 1024;
const maxParts = 8;

/**
 * Reads the files of a form, by file name. Throws 415 for another media type, 413 for a file over 1 MiB, 422 for a broken body
 * or a missing file, 400 for a file with another name.
 */
export async function readFiles(form: MultipartForm, ctx: Koa.Context): Promise<Map<string, UploadedFile>> {
  const parts = await readParts(ctx);
  const files = new Map<string, UploadedFile>();
  for (const [name, fields] of Object.entries(form.files)) {
    const field = fields.find((candidate) => parts.has(candidate));
    const file = field === undefined ? undefined : parts.get(field);
    if (!file) {
      const errors = [{ path: fields[0] ?? name, message: `the file ${name} is missing` }];
      throw new HttpError(422, 'validation', form.missing, { errors });
    }
    if (file.fileName !== name) {
      const given = JSON.stringify(file.fileName.slice(0, 80));
      throw new HttpError(400, 'file-name', `The file in ${field} must be named ${name}, not ${given}`);
    }
    files.set(name, file);
  }
  return files;
}

function readParts(ctx: Koa.Context): Promise<Map<string, UploadedFile>> {
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
      // A body that ends within a file is an error of the stream and of the parser.
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
