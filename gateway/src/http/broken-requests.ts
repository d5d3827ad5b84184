import type { Socket } from 'node:net';

const refusals: Readonly<Record<string, readonly [status: string, reason: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers-too-large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request-timeout', 'The request took too long to arrive'],
};

/** Time for the client to read the answer and close the connection. */
const lingerMs = 1000;

/** Responds to malformed HTTP with an error in the usual format and closes the connection, even if the client keeps its side open. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, detail] = refusals[error.code ?? ''] ?? [
    '400 Bad Request',
    'bad-request',
    'This is not an HTTP request',
  ];
  const body = JSON.stringify({ detail, reason });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
