import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Where questions go, and the key that they come with. */
export interface Door {
  readonly port: number;
  readonly key: string;
}

export interface Question {
  readonly method?: string;
  /** Sent as it stands, which `fetch` would normalise. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly bytes: Buffer;
}

/** Sends a request to a proxy with its key. */
export async function ask({ port, key }: Door, question: Question): Promise<Answer> {
  const { body, headers = {}, method = body === undefined ? 'GET' : 'POST', path, signal } = question;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    agent: false,
    headers: {
      'x-api-key': key,
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
    ...(signal !== undefined && { signal }),
  });
  outgoing.on('error', reject);
  outgoing.on('response', (incoming) => {
    buffer(incoming).then((bytes) => {
      const { statusCode: status = 0, headers: answerHeaders } = incoming;
      resolve({ status, headers: answerHeaders, body: bytes.toString(), bytes });
    }, reject);
  });
  outgoing.end(body);
  return promise;
}

const json = { 'content-type': 'application/json' };

/** A question in the chat of OpenAI's API. */
export const chatWith = (content: string, more: object = {}): Question & { readonly body: string } => ({
  path: '/v1/chat/completions',
  headers: json,
  body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }], ...more }),
});

/** A body that is sent as it stands to one path. */
export const posting = (path: string, body: string | Buffer, type = 'application/json'): Question => ({
  path,
  headers: { 'content-type': type },
  body,
});
