import type { ParkedMessage__Output } from '@husky/contracts/types/parked/v1/ParkedMessage';
import { DomainError } from '@husky/runtime/rpc/errors';
import { z } from 'zod';
import { type Context, consumingServices } from '../../context.ts';
import { route } from '../../http/route.ts';
import { envelope, envelopeOf, pageQuery, pathName, text, time } from '../../http/schema.ts';

type Service = (typeof consumingServices)[number];
type Client = Context['parkedMessages'][Service];

const parkedMessage = z
  .object({
    id: z.string(),
    service: z.enum(consumingServices).describe('the service that could not handle it'),
    consumer: z.string(),
    subject: z.string(),
    message_id: z.string(),
    reason: z.string().describe('of the last failure'),
    deliveries: z.number().int(),
    payload_bytes: z.number().int(),
    published_at: time,
    parked_at: time,
    replay_requested_at: time.nullable().describe('null: no replay is waiting'),
  })
  .meta({ id: 'ParkedMessage' });
const listQuery = z.object({ ...pageQuery(50, 200), service: z.enum(consumingServices).optional() });
const parkedPage = z.object({ messages: z.array(parkedMessage), ...envelope });
const discardBody = z.strictObject({ reason: text(500, 1).describe('recorded in the audit log') });
const maxListed = 1000;

const present = (service: Service, one: ParkedMessage__Output): z.infer<typeof parkedMessage> => ({
  id: one.id,
  service,
  consumer: one.consumer,
  subject: one.subject,
  message_id: one.messageId,
  reason: one.reason,
  deliveries: one.deliveries,
  payload_bytes: one.payloadBytes,
  published_at: one.publishedAt,
  parked_at: one.parkedAt,
  replay_requested_at: one.replayRequestedAt || null,
});

/** Calls every service, because the id does not show which of them has the message. Returns the result of the one that has it. */
async function changeMessage(context: Context, call: (client: Client) => Promise<ParkedMessage__Output>) {
  const outcomes = await Promise.allSettled(
    consumingServices.map(async (service) => present(service, await call(context.parkedMessages[service]))),
  );
  const failures: unknown[] = [];
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') return outcome.value;
    failures.push(outcome.reason);
  }
  // A service that failed otherwise may have the message, so NOT_FOUND would be wrong.
  const isUnknown = (error: unknown) => error instanceof DomainError && error.code === 'NOT_FOUND';
  throw failures.find((error) => !isUnknown(error)) ?? failures[0];
}

export const parkedRoutes = [
  route('GET /admin/parked-messages', {
    access: 'admin',
    summary: 'Events that a service could not handle, newest first; of the newest 1,000 of each service',
    query: listQuery,
    response: parkedPage,
    refusals: [400],
    async handle({ query, context, caller }) {
      const { page, page_size: pageSize, service } = query;
      const last = page * pageSize;
      if (last > maxListed) {
        throw new DomainError('INVALID_ARGUMENT', 'page-too-far', 'Only the newest 1,000 messages are listed.');
      }
      const lists = await Promise.all(
        (service === undefined ? consumingServices : [service]).map(async (name) => {
          const { messages, total } = await context.parkedMessages[name].listParkedMessages(
            { pageSize: last },
            { caller },
          );
          return { total, messages: messages.map((one) => present(name, one)) };
        }),
      );
      const newestFirst = lists
        .flatMap(({ messages }) => messages)
        .sort((a, b) => b.parked_at.localeCompare(a.parked_at) || a.id.localeCompare(b.id));
      const total = lists.reduce((sum, list) => sum + list.total, 0);
      return { messages: newestFirst.slice(last - pageSize, last), ...envelopeOf(total, page, pageSize) };
    },
  }),
  route('POST /admin/parked-messages/{id}/replay', {
    access: 'admin',
    summary:
      'Let the service handle a parked message again, within seconds; it stays, with a new reason, if that fails',
    params: pathName('id'),
    response: parkedMessage,
    handle: ({ params, context, caller }) =>
      changeMessage(context, (client) => client.replayParkedMessage({ id: params.id ?? '' }, { caller })),
  }),
  route('POST /admin/parked-messages/{id}/discard', {
    access: 'admin',
    summary: 'Delete a parked message; its event will never be handled',
    params: pathName('id'),
    body: discardBody,
    response: parkedMessage,
    refusals: [400],
    handle: ({ params, body, context, caller }) =>
      changeMessage(context, (client) =>
        client.discardParkedMessage({ id: params.id ?? '', reason: body.reason }, { caller }),
      ),
  }),
];
