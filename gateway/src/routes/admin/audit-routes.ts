import type { AuditRecord__Output } from '@husky/contracts/types/auth/v1/AuditRecord';
import { csvLine } from '@husky/match/csv';
import type { Caller } from '@husky/runtime/rpc/caller';
import { messageOf } from '@husky/runtime/rpc/errors';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { route } from '../../http/route.ts';
import { envelope, envelopeOf, pageQuery, time } from '../../http/schema.ts';
import { sendFile } from '../../http/send-file.ts';

const record = z
  .object({
    id: z.string(),
    occurred_at: time,
    action: z.string(),
    actor: z.string().nullable().describe('username; null: nobody signed in, or the platform itself'),
    actor_id: z.string().nullable(),
    actor_kind: z.string(),
    subject_kind: z.string(),
    subject: z.string().describe('a username where it is a user, otherwise an id'),
    subject_id: z.string(),
    before: z.unknown(),
    after: z.unknown(),
    names: z.record(z.string(), z.string()).describe('usernames of the users whose ids are in before and after'),
    request_id: z.string().nullable(),
    address: z.string().nullable(),
  })
  .meta({ id: 'AuditRecord' });
const filters = {
  actor: z.string().max(64).default('').describe('username'),
  action: z.string().max(64).default(''),
  subject: z.string().max(128).default('').describe('username or id'),
  q: z.string().max(200).default('').describe('words; each must be the beginning of a word of the record'),
  from: z.string().max(40).default('').describe('RFC 3339'),
  to: z.string().max(40).default('').describe('RFC 3339'),
};
const auditQuery = z.object({ ...pageQuery(50), ...filters });
const exportQuery = z.object({ format: z.enum(['csv', 'jsonl']).default('csv'), ...filters });
const auditPage = z.object({ records: z.array(record), ...envelope });

type Presented = z.infer<typeof record>;
const fields = [
  ...(['occurred_at', 'action', 'actor', 'actor_id', 'actor_kind', 'subject_kind', 'subject', 'subject_id'] as const),
  ...(['before', 'after', 'names', 'request_id', 'address', 'id'] as const),
];
const exportPageSize = 1000;

export const auditRoutes = [
  route('GET /admin/audit', {
    access: 'admin',
    summary: 'Who did what, when, with before and after; newest first',
    query: auditQuery,
    response: auditPage,
    refusals: [400],
    async handle({ query, context, caller }) {
      const { page, page_size: pageSize } = query;
      const request = await requestOf(query, context);
      if (!request) return { records: [], ...envelopeOf(0, page, pageSize) };
      const { records, total } = await context.auth.listAudit({ ...request, page, pageSize }, { caller });
      return { records: await present(records, context), ...envelopeOf(total, page, pageSize) };
    },
  }),
  route('GET /admin/audit/export', {
    access: 'admin',
    summary:
      'The whole filtered audit log as a file: CSV for a spreadsheet (texts that it would run as formulas get an apostrophe), or one JSON object a line',
    query: exportQuery,
    response: 'file',
    contentTypes: ['text/csv', 'application/x-ndjson'],
    refusals: [400, 429],
    handle: ({ query, context, caller, token, address, koa }) =>
      sendFile(koa, context.streams.open({ caller, token, address }), async (signal) => {
        const request = await requestOf(query, context);
        const first = request ? await context.auth.listAudit(firstPage(request), { caller }) : undefined;
        const csv = query.format === 'csv';
        return {
          name: `audit.${csv ? 'csv' : 'jsonl'}`,
          contentType: csv ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
          chunks: exportLines(first, request, { csv, context, caller, signal }),
        };
      }),
  }),
];

type Filters = z.infer<typeof exportQuery>;
type Request = NonNullable<Awaited<ReturnType<typeof requestOf>>>;
type Page = Awaited<ReturnType<Context['auth']['listAudit']>>;

const firstPage = (request: Request) => ({ ...request, page: 1, pageSize: exportPageSize, withoutTotal: true });

/** Converts filters to a request, with ids instead of usernames. Returns undefined if the actor does not exist: nothing can match. */
async function requestOf(query: Omit<Filters, 'format'>, context: Context) {
  const names = [query.actor, query.subject].filter((name) => name !== '');
  const known = new Map<string, string>();
  for (const name of names) {
    const { ids } = await context.names.idsOf([name]);
    if (ids[0] !== undefined) known.set(name, ids[0]);
  }
  if (query.actor !== '' && !known.has(query.actor)) return undefined;
  return {
    actorId: known.get(query.actor) ?? '',
    subjectId: known.get(query.subject) ?? query.subject,
    action: query.action,
    q: query.q,
    from: query.from,
    to: query.to,
  };
}

async function present(records: readonly AuditRecord__Output[], context: Context): Promise<Presented[]> {
  const subjects = records.filter((one) => one.subjectKind === 'user').map((one) => one.subjectId);
  const mentioned = records.flatMap((one) => idsIn(one));
  const names = await context.names.known([...records.map((one) => one.actorId), ...subjects, ...mentioned]);
  const nameOf = (id: string) => names.get(id) ?? 'unknown';
  return records.map((one) => ({
    id: one.id,
    occurred_at: one.occurredAt,
    action: one.action,
    actor: one.actorId === '' ? null : nameOf(one.actorId),
    actor_id: one.actorId || null,
    actor_kind: one.actorKind,
    subject_kind: one.subjectKind,
    subject: one.subjectKind === 'user' && one.subjectId !== '' ? nameOf(one.subjectId) : one.subjectId,
    subject_id: one.subjectId,
    before: parseJson(one.beforeJson),
    after: parseJson(one.afterJson),
    names: Object.fromEntries(idsIn(one).flatMap((id) => (names.has(id) ? [[id, nameOf(id)]] : []))),
    request_id: one.requestId || null,
    address: one.address || null,
  }));
}

const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/** Returns all UUIDs in the changed values; some are users' ids. */
function idsIn({ beforeJson, afterJson }: AuditRecord__Output): string[] {
  return [...new Set(`${beforeJson} ${afterJson}`.match(uuid))];
}

/** Parses a stored value; null if it is empty. Never throws: an unreadable value must not hide the record. */
function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return { unreadable: messageOf(error) };
  }
}

/** Admins read this file in a spreadsheet; programs take the JSON lines. */
const csvLineOf = (one: Presented): string =>
  csvLine(
    fields.map((field) => one[field]),
    { spreadsheet: true },
  );

async function* exportLines(
  first: Page | undefined,
  request: Request | undefined,
  options: { readonly csv: boolean; readonly context: Context; readonly caller: Caller; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  if (options.csv) yield `${fields.join(',')}\r\n`;
  let page = first;
  while (page && request) {
    const records = await present(page.records, options.context);
    if (records.length > 0)
      yield records.map((one) => (options.csv ? csvLineOf(one) : `${JSON.stringify(one)}\n`)).join('');
    if (page.nextCursor === '') return;
    options.signal.throwIfAborted();
    const next = { ...firstPage(request), cursor: page.nextCursor };
    page = await options.context.auth.listAudit(next, { caller: options.caller });
  }
}
