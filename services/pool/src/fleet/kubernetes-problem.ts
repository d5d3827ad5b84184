import { messageOf } from '@husky/runtime/errors';
import { ApiException } from '@kubernetes/client-node';

/** The status code of an answer of the API server; undefined when there was none. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof ApiException) return error.code;
  // A watch that is refused has the status alone.
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** What went wrong between the pool and the API server, in words for the container page. */
export function kubernetesProblem(error: unknown): string {
  const code = statusOf(error);
  if (error instanceof Error && error.name === 'TimeoutError') return 'the Kubernetes API did not answer in time';
  if (code === undefined) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return `the Kubernetes API cannot be reached (${messageOf(error)}${cause})`;
  }
  const text = error instanceof ApiException ? messageIn(error.body) : messageOf(error);
  if (code === 401) return 'the Kubernetes API does not know the service account of the pool (401)';
  if (code === 403) return `the Kubernetes API refuses the pool this right (403): ${text}`;
  if (code === 404) return `the Kubernetes API does not find it (404): ${text}`;
  return `the Kubernetes API answered ${code}: ${text}`;
}

function messageIn(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'message' in body) return String(body.message);
  if (typeof body !== 'string') return 'without a message';
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) return String(parsed.message);
  } catch {
    return body.slice(0, 200);
  }
  return body.slice(0, 200);
}
