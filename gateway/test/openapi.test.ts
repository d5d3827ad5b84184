import { expect, test } from 'vitest';
import { openApi } from '../src/http/openapi.ts';
import { apiRoutes } from '../src/routes/all.ts';

type Json = Record<string, unknown>;

const document = openApi(apiRoutes({}, { metricsText: async () => '' }), 'http://localhost:8080');
const text = JSON.stringify(document);

test('has a schema for every reference of the OpenAPI description', () => {
  const schemas = (document.components as { schemas: Json }).schemas;
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(references.length).toBeGreaterThan(20);
  for (const reference of references) {
    expect(reference).toMatch(/^#\/components\/schemas\//);
    expect(schemas).toHaveProperty(reference.split('/').at(-1) ?? '');
  }
});

test('gives every operation a unique id, a summary, an access rule and its error responses', () => {
  const ids = new Set<string>();
  for (const operations of Object.values(document.paths as Record<string, Record<string, Json>>)) {
    for (const operation of Object.values(operations)) {
      const id = String(operation.operationId);
      expect(ids.has(id), id).toBe(false);
      ids.add(id);
      expect(operation.summary, id).toBeTypeOf('string');
      const responses = operation.responses as Json;
      if (operation['x-access'] !== 'anyone') expect(responses, id).toHaveProperty('401');
      if (operation['x-access'] === 'admin') expect(responses, id).toHaveProperty('403');
    }
  }
});

test('describes every path parameter, as required', () => {
  for (const [path, operations] of Object.entries(document.paths as Record<string, Record<string, Json>>)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const operation of Object.values(operations)) {
      const described = (operation.parameters as Json[]).filter((parameter) => parameter.in === 'path');
      expect(described.map((parameter) => parameter.name).sort(), path).toEqual([...names].sort());
      expect(
        described.every((parameter) => parameter.required === true),
        path,
      ).toBe(true);
    }
  }
});
