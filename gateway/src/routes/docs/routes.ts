import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { openApi } from '../../http/openapi.ts';
import { type Route, reply, route } from '../../http/route.ts';

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const files: Record<string, string> = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' };

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Husky Hold'em API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;
const start = "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null });\n";

/** Returns the routes /openapi.json and /docs. */
export function docsRoutes(routes: readonly Route[], publicUrl: string): Route[] {
  let text: string | undefined;
  return [
    route('GET /openapi.json', {
      access: 'anyone',
      summary: 'This OpenAPI description',
      response: z.looseObject({}),
      async handle() {
        text ??= JSON.stringify(openApi(routes, publicUrl));
        return reply({ body: text, headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' } });
      },
    }),
    route('GET /docs', {
      access: 'anyone',
      summary: 'The API documentation as a page',
      response: 'page',
      handle: async () => reply({ body: page, headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
    }),
    route('GET /docs/{file}', {
      access: 'anyone',
      summary: 'Files of that page',
      params: z.object({ file: z.enum(['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js']) }),
      response: 'file',
      async handle({ params }) {
        if (params.file === 'start.js') return reply({ body: start, headers: { 'Content-Type': 'text/javascript' } });
        const headers = {
          'Content-Type': files[params.file] ?? 'text/plain',
          'Cache-Control': 'public, max-age=86400',
        };
        return reply({ body: createReadStream(join(assets, params.file)), headers });
      },
    }),
  ];
}
