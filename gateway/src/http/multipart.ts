import busboy from 'busboy';
import type Koa from 'koa';
import { type BodyBuffer, cutOff, type HeldBody } from './body-budget.ts';
import { disconnected, HttpError } from './errors.ts';

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
const maxFormBytes = 3 * maxFileBytes;
// Others than those of the call are ignored.
const maxFiles = 8;
const maxFields = 8;

/**
 * Reads the files of a form, by file name. Throws 415 for another media type, 413 for a file over 1 MiB or a form over 3 MiB, 422 for a
 * broken body, more than eight files or fields, or a missing file, 400 for a file with another name, 503 beyond the budget, CANCELLED when the
 * client disconnects.
 */
export async function readFiles(
  form: MultipartForm,
  held: HeldBody,
  ctx: Koa.Context,
): Promise<Map<string, UploadedFile>> {
  const parts = await readParts(form, held, ctx);
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
    files.set(name, { fileName: file.fileName, data: file.buffer.content });
  }
  return files;
}

interface ReceivedFile {
  readonly fileName: string;
  readonly buffer: BodyBuffer;
}

function readParts(form: MultipartForm, held: HeldBody, ctx: Koa.Context): Promise<Map<string, ReceivedFile>> {
  if (!ctx.is('multipart/form-data')) {
    throw new HttpError(415, 'media-type', 'The request must be multipart/form-data');
  }
  if ((ctx.request.length ?? 0) > maxFormBytes) throw tooLarge('The upload', 3);
  if (ctx.req.destroyed) throw disconnected();
  const fields = new Set(Object.values(form.files).flat());
  const broken = (why: string) => new HttpError(422, 'validation', `The form could not be read: ${why}`);
  return new Promise((resolve, reject) => {
    const files = new Map<string, ReceivedFile>();
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: ctx.req.headers,
        defParamCharset: 'utf8',
        // busboy reports a file that reaches its limit.
        limits: { fileSize: maxFileBytes + 1, files: maxFiles, fields: maxFields },
      });
    } catch (error) {
      reject(broken(error instanceof Error ? error.message : 'unknown'));
      return;
    }
    let failed = false;
    const fail = (error: unknown) => {
      failed = true;
      ctx.req.unpipe(parser);
      ctx.req.resume();
      reject(error);
    };
    parser.on('file', (field, stream, info) => {
      // A body that ends within a file is an error of the stream and of the parser.
      stream.on('error', (error) => fail(broken(error.message)));
      stream.on('limit', () => fail(tooLarge(info.filename || field)));
      if (!fields.has(field)) {
        stream.resume();
        return;
      }
      const file = held.createBuffer();
      stream.on('data', (part: Buffer) => {
        try {
          if (!failed) file.append(part);
        } catch (error) {
          fail(error);
        }
      });
      stream.on('close', () => files.set(field, { fileName: info.filename ?? '', buffer: file }));
    });
    parser.on('filesLimit', () => fail(broken('too many files')));
    parser.on('fieldsLimit', () => fail(broken('too many fields')));
    parser.on('error', (error) => fail(broken(error instanceof Error ? error.message : 'unknown')));
    parser.on('close', () => resolve(files));
    let size = 0;
    ctx.req.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= maxFormBytes || failed) return;
      // A chunked form names no length.
      cutOff(ctx.req);
      fail(tooLarge('The upload', 3));
    });
    ctx.req.on('close', () => {
      if (!ctx.req.readableEnded) fail(disconnected());
    });
    ctx.req.pipe(parser);
  });
}

function tooLarge(what: string, mib = 1): HttpError {
  return new HttpError(413, 'file-too-large', `${what} is larger than ${mib} MiB`);
}

const playerFile = 'player.py';
const requirementsFile = 'requirements.txt';

/** Creates the upload form of a bot: its two files, with the form fields accepted for each. */
export function botForm(playerFields: readonly string[], requirementsFields: readonly string[]): MultipartForm {
  return {
    files: { [playerFile]: playerFields, [requirementsFile]: requirementsFields },
    missing: `Both ${playerFile} and ${requirementsFile} must be provided`,
  };
}

/** Returns the two files of an upload that matched `botForm`. */
export function botFilesOf(files: ReadonlyMap<string, UploadedFile>): { playerFile: Buffer; requirementsFile: Buffer } {
  const dataOf = (name: string) => files.get(name)?.data ?? Buffer.alloc(0);
  return { playerFile: dataOf(playerFile), requirementsFile: dataOf(requirementsFile) };
}
