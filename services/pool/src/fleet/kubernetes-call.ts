import {
  type ConfigurationOptions,
  type ObservableMiddleware,
  setHeaderMiddleware,
  setHeaderOptions,
} from '@kubernetes/client-node';

/** Options of a call to the API server that ends with a TimeoutError when no answer has come whole in time. */
export function within(
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
