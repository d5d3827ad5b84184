import { DomainError } from '@husky/runtime/rpc/errors';
import { z } from 'zod';
import { type Route, reply, route } from '../../http/route.ts';
import { KitFiles } from './kit-files.ts';

const description = z.object({
  version: z.string(),
  rules_version: z
    .number()
    .int()
    .describe('newest rules that this kit plays and verifies; it knows the earlier ones too'),
  protocol_version: z.number().int().describe('version of the REST API that the kit uses'),
  file: z.string(),
  url: z.url().describe('address of the wheel'),
  sha256: z.string(),
  size: z.number().int().describe('bytes'),
  requires_python: z.string(),
  install: z.string().describe('the command for pip'),
  install_uv: z.string().describe('the command for uv'),
});

// Clients revalidate by ETag, so they see a new version immediately.
const revalidated = { 'Cache-Control': 'public, no-cache' };

/** Returns the routes of the local kit: its description, its wheel, an index for pip, and the conformance suite. */
export function kitRoutes(publicUrl: string, webDir: string | undefined): Route[] {
  const files = new KitFiles(webDir);
  return [
    route('GET /kit/index.json', {
      access: 'anyone',
      summary: 'The local kit of this site: versions, checksum, address, and the commands that install it',
      response: description,
      refusals: [404],
      async handle() {
        const { kit } = files.current();
        const { version, rules_version, protocol_version, file, sha256, size, requires_python } = kit;
        const url = new URL(`/kit/${file}`, publicUrl).href;
        const facts = { version, rules_version, protocol_version, file, url, sha256, size, requires_python };
        const body = { ...facts, install: `pip install ${url}`, install_uv: `uv tool install ${url}` };
        return reply({ body, headers: revalidated });
      },
    }),
    route('GET /kit/simple/husky-holdem/', {
      access: 'anyone',
      summary:
        'The local kit as a package index (PEP 503): pip install --extra-index-url <site>/kit/simple husky-holdem',
      response: 'file',
      contentTypes: ['text/html'],
      refusals: [404],
      async handle() {
        const { kit } = files.current();
        const link = `<a href="../../${kit.file}#sha256=${kit.sha256}" data-requires-python="${kit.requires_python.replaceAll('>', '&gt;')}">${kit.file}</a>`;
        const body = `<!DOCTYPE html>\n<html><head><title>husky-holdem</title></head><body>${link}</body></html>\n`;
        return reply({ body, headers: { 'Content-Type': 'text/html; charset=utf-8', ...revalidated } });
      },
    }),
    route('GET /kit/conformance.json', {
      access: 'anyone',
      summary:
        'The conformance suite: the exact calls of bots in reference hands, for people who write bots in their own frame',
      response: 'file',
      contentTypes: ['application/json'],
      refusals: [404],
      async handle() {
        const headers = { 'Content-Type': 'application/json; charset=utf-8', ...revalidated };
        return reply({ body: files.current().conformance, headers });
      },
    }),
    route('GET /kit/{name}.whl', {
      access: 'anyone',
      summary: 'The wheel of the local kit',
      params: z.object({ name: z.string().min(1).max(200) }),
      response: 'file',
      contentTypes: ['application/zip'],
      refusals: [404],
      async handle({ params }) {
        const { kit, wheel } = files.current();
        if (`${params.name}.whl` !== kit.file)
          throw new DomainError('NOT_FOUND', 'no-kit', `This site offers ${kit.file}.`);
        return reply({ body: wheel, headers: { 'Content-Type': 'application/zip', ...revalidated } });
      },
    }),
  ];
}
