import type { paths } from './generated/api.ts';

export type Method = 'get' | 'post' | 'delete';
/** Paths of the gateway's OpenAPI that have the method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends keyof paths> = paths[P][M];
type OrUndefined<T> = { [Key in keyof T]: T[Key] | undefined };

type PathParams<Op> = Op extends { parameters: { path: infer Params } } ? { params: Params } : { params?: undefined };
type QueryParams<Op> = Op extends { parameters: { query: infer Query } }
  ? { query: Query }
  : Op extends { parameters: { query?: infer Query } }
    ? { query?: OrUndefined<NonNullable<Query>> | undefined }
    : { query?: undefined };
type Body<Op> = Op extends { requestBody: { content: { 'multipart/form-data': unknown } } }
  ? { body: FormData }
  : Op extends { requestBody: { content: { 'application/json': infer Json } } }
    ? { body: Json }
    : Op extends { requestBody?: { content: { 'application/json': infer Json } } }
      ? { body?: Json }
      : { body?: undefined };

/** Path parameters, query and body of an operation, as its OpenAPI description has them. */
export type RequestOf<M extends Method, P extends keyof paths> = PathParams<Operation<M, P>> &
  QueryParams<Operation<M, P>> &
  Body<Operation<M, P>>;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : never;
/** JSON body of an operation's success (200 or 201). */
export type ResponseOf<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { responses: infer Responses } ? JsonOf<Responses[keyof Responses & (200 | 201)]> : never;

/** The arguments after the path: optional when the operation requires neither parameters nor a body. */
export type Arguments<M extends Method, P extends keyof paths, Options> =
  Record<never, never> extends RequestOf<M, P>
    ? [options?: RequestOf<M, P> & Options]
    : [options: RequestOf<M, P> & Options];
