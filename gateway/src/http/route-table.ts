import Router from '@koa/router';
import type { Route } from './route.ts';

/** The routes at a path, with the values of its parameters. */
export interface RouteMatch {
  /** By method in lower case; GET includes HEAD. */
  readonly methods: ReadonlyMap<string, Route>;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Returns a function that finds the routes at a path. A literal path takes precedence over one with a parameter, as in OpenAPI: `DELETE
 * /submission/list` is a wrong method, not the submission with the id `list`. Uses only the path matching of @koa/router
 * (gateway/README.md, Decision 1).
 */
export function createRouteTable(routes: readonly Route[]): (path: string) => RouteMatch | undefined {
  const byPath = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const methods = byPath.get(route.path) ?? new Map<string, Route>();
    byPath.set(route.path, methods.set(route.method, route));
  }
  const router = new Router({ sensitive: true, strict: true });
  for (const path of [...byPath.keys()].sort((a, b) => sortKey(a).localeCompare(sortKey(b)))) {
    const methods = [...(byPath.get(path)?.keys() ?? [])].map((method) => method.toUpperCase());
    router.register(path.replaceAll(/\{(\w+)\}/g, ':$1'), methods, (_ctx, next) => next(), { name: path });
  }
  return (path) => {
    const [layer] = router.match(path, 'GET').path;
    const methods = layer && byPath.get(String(layer.name));
    if (!methods) return undefined;
    const params: Record<string, string> = {};
    for (const [index, given] of layer.captures(path).entries()) {
      const value = decoded(given);
      if (value === undefined) return undefined;
      params[layer.paramNames[index]?.name ?? ''] = value;
    }
    return { methods, params };
  };
}

/** Returns the sort key of a path: literal segments before parameters. */
const sortKey = (path: string) =>
  path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('');

/** Decodes a path, or a segment of a path. Returns undefined for invalid percent encoding and NUL characters. */
export function decoded(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
