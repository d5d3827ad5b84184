import { messageOf } from '@husky/runtime/rpc/errors';
import {
  ApiException,
  type ConfigurationOptions,
  type ObservableMiddleware,
  setHeaderMiddleware,
  setHeaderOptions,
} from '@kubernetes/client-node';

/** Returns options for a call to the API server that rejects with a TimeoutError unless the whole response arrives in time. */
export function withTimeout(
  timeoutMs: number,
  headers: Readonly<Record<string, string>> = {},
): ConfigurationOptions<ObservableMiddleware> {
  const accept = setHeaderMiddleware('Accept', 'application/json');
  const limit: ObservableMiddleware = {
    pre(request) {
      request.setSignal(AbortSignal.timeout(timeoutMs));
      return accept.pre(request);
    },
    post: (response) => accept.post(response),
  };
  let options: ConfigurationOptions<ObservableMiddleware> = { middleware: [limit], middlewareMergeStrategy: 'append' };
  for (const [name, value] of Object.entries(headers)) options = setHeaderOptions(name, value, options);
  return options;
}

/** Returns the status code of a response of the API server; undefined when there was no response. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof ApiException) return error.code;
  // A refused watch has only the status.
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** Returns whether the API server answered what the client cannot parse, such as text without a type. */
function isUnreadable(error: unknown): error is Error {
  if (error instanceof SyntaxError) return true;
  return error instanceof Error && /^Cannot parse content|is not supported by ObjectSerializer/.test(error.message);
}

/** Describes a failed call to the API server for the container page. */
export function kubernetesProblem(error: unknown): string {
  const code = statusOf(error);
  if (error instanceof Error && error.name === 'TimeoutError') return 'the Kubernetes API did not answer in time';
  if (isUnreadable(error)) return `the answer of the Kubernetes API cannot be read (${error.message})`;
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
