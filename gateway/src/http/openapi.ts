import { z } from 'zod';
import { unlimitedPaths } from './rate-limits.ts';
import { requestKeyPattern } from './request-key.ts';
import type { Access, Route } from './route.ts';
import { errorSchema, statusErrorSchema } from './schema.ts';

type Json = Record<string, unknown>;

const refusalTexts: Record<number, string> = {
  307: 'Moved: the address is in Location',
  400: 'Well-formed but not allowed',
  401: 'Not signed in, or the token is invalid, expired or revoked',
  403: 'Not allowed for this caller',
  404: 'Not found',
  409: 'In conflict with the current state',
  413: 'Too large',
  415: 'Wrong media type',
  422: 'Does not match the schema',
  429: 'Too many requests: see Retry-After',
  503: 'A service of the platform is unavailable',
};

const accessRefusals: Record<Access, readonly number[]> = {
  anyone: [],
  'signed-in': [401],
  verified: [401, 403],
  admin: [401, 403],
};

/** Builds the OpenAPI 3.1 description of the routes from their zod schemas. */
export function openApi(routes: readonly Route[], publicUrl: string): Json {
  const schemas: Record<string, Json> = {};
  const toJson = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const override = io === 'input' ? describeInput : undefined;
    const json = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io,
      unrepresentable: 'any',
      ...(override ? { override } : {}),
    }) as Json;
    return hoist(json, schemas);
  };
  const errorRefs = { plain: toJson(errorSchema, 'output'), withStatus: toJson(statusErrorSchema, 'output') };
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const operations = paths[route.path] ?? {};
    operations[route.method] = describe(
      route,
      toJson,
      route.carriesStatusCode ? errorRefs.withStatus : errorRefs.plain,
    );
    paths[route.path] = operations;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: "Husky Hold'em",
      version: '1',
      description:
        'Poker bots, matches, standings and replays. Errors are `{detail, reason, errors?}` with a true HTTP status.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A session' },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'husky_…',
          description: 'An access token of a program, with the scope in x-token-scope',
        },
      },
    },
  };
}

interface Described {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/**
 * Adds a pattern to free text that excludes NUL characters, which are refused (unstorable-values.ts), and the defaults of converted
 * values, which zod leaves out.
 */
function describeInput({ zodSchema: { _zod }, jsonSchema }: Described): void {
  if (_zod.def.type === 'default')
    jsonSchema.default = _zod.def.defaultValue as z.core.JSONSchema.BaseSchema['default'];
  const { type, pattern, format, allOf } = jsonSchema;
  const free = pattern === undefined && format === undefined && allOf === undefined && jsonSchema.enum === undefined;
  if (type === 'string' && free) jsonSchema.pattern = '^[^\\u0000]*$';
}

type ToJson = (schema: z.ZodType, io: 'input' | 'output') => Json;

function describe(route: Route, toJson: ToJson, errorRef: Json): Json {
  const statuses = new Set([...accessRefusals[route.access], ...(route.refusals ?? []), 503]);
  if (route.params) statuses.add(404);
  if (route.tokenScope !== undefined) for (const status of [401, 403]) statuses.add(status);
  if (!unlimitedPaths.has(route.path)) statuses.add(429);
  if (route.params || route.query || route.body || route.multipart || route.repeatable) statuses.add(422);
  if (route.body || route.multipart) for (const status of [413, 415]) statuses.add(status);
  const refusals = Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => [
        status,
        { description: refusalTexts[status] ?? 'Refused', content: { 'application/json': { schema: errorRef } } },
      ]),
  );
  return {
    summary: route.summary,
    operationId: `${route.method}${route.path.replaceAll(/[^A-Za-z0-9]+(\w)?/g, (_all, next: string) => (next ?? '').toUpperCase())}`,
    tags: [route.path.split('/')[1] ?? ''],
    security: securityOf(route),
    'x-access': route.access,
    ...(route.tokenScope === undefined ? {} : { 'x-token-scope': route.tokenScope }),
    parameters: [
      ...parameters('path', route.params, toJson),
      ...parameters('query', route.query, toJson),
      ...(route.repeatable ? [idempotencyKey] : []),
    ],
    ...requestBody(route, toJson),
    responses: { ...success(route, toJson), ...refusals },
  };
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'a new text for each thing that is created: a repeated request with it returns what the first one created',
  schema: { type: 'string', pattern: requestKeyPattern.source },
};

function securityOf({ access, tokenScope }: Route): Json[] {
  const accepted: Json[] = [{ bearer: [] }];
  if (tokenScope !== undefined) accepted.push({ accessToken: [] });
  return access === 'anyone' ? [{}, ...accepted] : accepted;
}

function parameters(where: 'path' | 'query', schema: z.ZodType | undefined, toJson: ToJson): Json[] {
  if (!schema) return [];
  const json = toJson(schema, 'input') as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(json.properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || (json.required ?? []).includes(name),
    schema: where === 'path' ? withoutDefault(property) : property,
  }));
}

/** A path always has its parameters. */
const withoutDefault = ({ default: _default, ...schema }: Json): Json => schema;

function requestBody(route: Route, toJson: ToJson): Json {
  if (route.body) {
    const schema = toJson(route.body, 'input');
    return {
      requestBody: { required: !route.body.safeParse(undefined).success, content: { 'application/json': { schema } } },
    };
  }
  if (!route.multipart) return {};
  const fields = Object.values(route.multipart.files).map((names) => names[0] ?? '');
  const properties = Object.fromEntries(
    fields.map((field) => [field, { type: 'string', contentMediaType: 'application/octet-stream' }]),
  );
  const schema = { type: 'object', properties, required: fields };
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
}

function success(route: Route, toJson: ToJson): Json {
  if (route.response === 'redirect') return { 302: { description: 'Redirect to the page' } };
  const status = route.successStatus ?? 200;
  const types: Record<string, string> = {
    stream: 'text/event-stream',
    file: 'text/plain',
    page: 'text/html',
  };
  if (typeof route.response === 'string') {
    const given = route.contentTypes ?? [types[route.response] ?? 'text/plain'];
    return { [status]: { description: 'OK', content: Object.fromEntries(given.map((type) => [type, {}])) } };
  }
  const content = { 'application/json': { schema: toJson(route.response, 'output') } };
  const accepted = route.accepts
    ? { 202: { description: 'Accepted: the rest is done in the background', content } }
    : {};
  return { [status]: { description: 'OK', content }, ...accepted };
}

/** Moves named schemas ($defs) to components and adapts their references. */
function hoist(json: Json, schemas: Record<string, Json>): Json {
  const { $defs, $schema: _schema, ...rest } = json;
  for (const [name, definition] of Object.entries(($defs as Record<string, Json>) ?? {})) {
    schemas[name] ??= strip(repoint(definition));
  }
  const { id, ...own } = rest as { id?: string };
  const body = repoint(own) as Json;
  if (id !== undefined) {
    schemas[id] ??= body;
    return { $ref: `#/components/schemas/${id}` };
  }
  return body;
}

function strip(json: Json): Json {
  const { id: _id, ...rest } = json;
  return rest;
}

function repoint<T>(node: T): T {
  if (Array.isArray(node)) return node.map(repoint) as T;
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : repoint(value),
    ]),
  ) as T;
}
