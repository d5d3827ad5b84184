// A server with the chat API of OpenAI that answers from the files of answers/, streamed in odd pieces.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** What the server does at one call. */
export interface Step {
  /** A file of answers/ without its extension, changed by `edit`; absent: an empty answer. */
  readonly file?: string;
  readonly edit?: (text: string) => string;
  readonly refusal?: string;
  readonly finish?: string;
  /** Cuts the connection in the middle of the answer. */
  readonly cut?: boolean;
  /** Sends no token counts. */
  readonly uncounted?: boolean;
  /** Answers with this instead. */
  readonly error?: {
    readonly status: number;
    readonly body: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
}

export interface ModelServer {
  /** Address of the API. */
  readonly url: string;
  readonly calls: {
    model: string;
    round: number;
    authorization: string;
    body: Readonly<Record<string, unknown>>;
    prompt: string;
  }[];
  stop(): Promise<void>;
}

/** Tokens that the server counts for each answer. */
export const counted = { prompt_tokens: 1000, completion_tokens: 200, prompt_tokens_details: { cached_tokens: 400 } };
const oddSizes = [1, 7, 64, 3, 1000, 13];

export const json = (status: number, error: object, headers: Readonly<Record<string, string>> = {}): Step => ({
  error: { status, body: JSON.stringify({ error }), headers: { 'content-type': 'application/json', ...headers } },
});

/** Starts the server. `steps`: what it does, by model and the call's number from 0 within the round of its prompt. */
export async function startModelServer(
  steps: (model: string, round: number, call: number) => Step,
): Promise<ModelServer> {
  const calls: ModelServer['calls'] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await textOf(request)) as { model: string; messages: { content: string }[] };
    const prompt = body.messages.map(({ content }) => content).join('\n');
    const { model } = body;
    const round = Number(/This is round (\d+) of/.exec(prompt)?.[1] ?? 1);
    const call = calls.filter((one) => one.model === model && one.round === round).length;
    calls.push({ model, round, authorization: request.headers.authorization ?? '', body, prompt });
    await answer(steps(model, round, call), model, response);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(step: Step, model: string, response: ServerResponse): Promise<void> {
  if (step.error !== undefined) {
    response.writeHead(step.error.status, step.error.headers).end(step.error.body);
    return;
  }
  const plain =
    step.file === undefined ? '' : readFileSync(join(import.meta.dirname, 'answers', `${step.file}.md`), 'utf8');
  const text = step.edit?.(plain) ?? plain;
  const chunk = (choices: object[], more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: `${model}-0001`, choices, ...more })}\r\n\r\n`;
  const delta = (part: object) => chunk([{ index: 0, delta: part, finish_reason: null }]);
  const words = text.match(/[\s\S]{1,40}/g) ?? [];
  const parts = [
    ': keep-alive\n\n',
    delta({ role: 'assistant', content: '' }),
    ...words.map((content) => delta({ content })),
    ...(step.refusal === undefined ? [] : [delta({ refusal: step.refusal })]),
  ];
  if (step.cut) parts.splice(Math.ceil(parts.length / 2));
  else {
    parts.push(chunk([{ index: 0, delta: {}, finish_reason: step.finish ?? 'stop' }]));
    if (!step.uncounted) parts.push(chunk([], { usage: { ...counted, total_tokens: 1200 } }));
    parts.push('data: [DONE]\n\n');
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  // Pieces end within lines and within characters.
  const bytes = Buffer.from(parts.join(''));
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = oddSizes[piece % oddSizes.length] ?? 1;
    if (!response.write(bytes.subarray(at, at + size))) await new Promise((resolve) => response.once('drain', resolve));
    if (piece < 8) await new Promise((resolve) => setImmediate(resolve));
    at += size;
  }
  if (step.cut) response.destroy();
  else response.end();
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
