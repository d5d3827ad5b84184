import { Readable } from 'node:stream';
import type Koa from 'koa';
import type { OpenStream } from '../streams.ts';
import { type Reply, reply } from './route.ts';

/** A client that reads nothing for this time is disconnected. */
const stalledMs = 60_000;

export interface StreamedFile {
  readonly name: string;
  readonly contentType: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a file as fast as the client reads it. Calls `open` before the response starts, so that its refusals still set the HTTP
 * status; the signal of `open` aborts when the client disconnects or `stream` ends. After an error cuts the connection, so that no
 * client takes a partial file for a complete one. Always closes `stream`.
 */
export async function sendFile(
  koa: Koa.Context,
  stream: OpenStream,
  open: (signal: AbortSignal) => Promise<StreamedFile>,
): Promise<Reply> {
  const { res } = koa;
  const disconnected = new AbortController();
  const leave = () => {
    disconnected.abort(new Error('The client has disconnected.'));
    stream.close();
  };
  // The client may have disconnected while its caller was identified.
  if (res.closed) leave();
  else res.once('close', leave);
  const {
    name,
    contentType,
    chunks,
    status = 200,
    headers: own,
  } = await open(AbortSignal.any([disconnected.signal, stream.signal]));
  const body = Readable.from(chunks, { objectMode: false });
  body.once('error', () => res.destroy());
  res.setTimeout(stalledMs, () => res.destroy());
  res.once('close', () => body.destroy());
  const headers = { 'Content-Type': contentType, 'Content-Disposition': `attachment; filename="${name}"` };
  return reply({ status, body, headers: { ...headers, ...own } });
}
