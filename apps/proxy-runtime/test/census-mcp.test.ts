import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { knownMethods } from '@portcullis/core/mcp/known-methods';
import { leavesOf, type Json } from '@portcullis/testkit/json-leaves';
import { clientMessages, serverAnswers, serverMessages, type McpMessage } from './census/mcp-samples.ts';
import type { Unread } from './census/sample.ts';
import { openWatchedProxy, streamForms, wholeAnswer, type Heard, type WatchedProxy } from './census/watched-proxy.ts';
import { openWatchedSocket, type WatchedSocket } from './census/watched-socket.ts';

let watched: WatchedProxy;
let socket: WatchedSocket;
beforeAll(async () => {
  watched = await openWatchedProxy('mcp');
  socket = await openWatchedSocket();
});
afterAll(async () => {
  await watched[Symbol.asyncDispose]();
  await socket[Symbol.asyncDispose]();
});

const path = '/mcp';
const empty = wholeAnswer({ jsonrpc: '2.0', id: 'r1', result: {} });
const done = { jsonrpc: '2.0', id: 'r1', result: { content: [] } };
const events = (messages: readonly Json[]) =>
  streamForms['server-sent events'](messages.map((message) => ['message', message]));

/** How messages of a client come. */
const ways: Readonly<Record<string, (message: Json) => Promise<Heard>>> = {
  alone: (message) => watched.ask(path, message, empty),
  'in a batch': (message) => watched.ask(path, [message, { jsonrpc: '2.0', id: 'r2', method: 'ping' }], empty),
  'on a socket': (message) => socket.send(message),
};

type Answering = (asked: McpMessage['message'], message: Json) => Promise<Heard>;

/** How answers of a server come. */
const answerWays: Readonly<Record<string, Answering>> = {
  'in a body': (asked, message) => watched.ask(path, asked, wholeAnswer(message)),
  'in a batch': (asked, message) => watched.ask(path, asked, wholeAnswer([message])),
  'in a stream': (asked, message) => watched.ask(path, asked, events([message])),
  'on a socket': (asked, message) => socket.hear(asked, message),
};

/** How else a server says something. */
const messageWays: Readonly<Record<string, Answering>> = {
  'in a stream': (asked, message) => watched.ask(path, asked, events([message, done])),
  'on a socket': (asked, message) => socket.hear(asked, message),
};

const crossed = (messages: readonly McpMessage[], names: readonly string[]) =>
  messages.flatMap((message) => names.map((name) => [message.name, name, message] as const));

async function findUnread(
  { message, structure = {} }: McpMessage,
  say: (planted: Json) => Promise<Heard>,
  of: 'asked' | 'answered',
): Promise<readonly [found: Record<string, Unread>, listed: Record<string, Unread>]> {
  const found: Record<string, Unread> = {};
  for (const { pointer, planted } of leavesOf(message)) {
    const heard = await say(planted);
    if (heard[of] !== 'read') found[pointer] = heard[of];
  }
  return [found, Object.fromEntries(Object.entries(structure).map(([pointer, [becomes]]) => [pointer, becomes]))];
}

test('every method that clients may use is in the samples', () => {
  const spoken = new Set(clientMessages.map(({ name }) => name));
  const own = [...knownMethods].filter((method) => !spoken.has(method));
  // Those of tasks and extensions take the same params by other names.
  expect(own.filter((method) => !/^(?:tasks|skills|resources\/directory|notifications\/tasks)/.test(method))).toEqual([
    'ping',
  ]);
});

describe.each(crossed(clientMessages, Object.keys(ways)))('%s of a client, %s', (_message, way, sample) => {
  const say = ways[way] as (message: Json) => Promise<Heard>;

  test('goes through as it is, and every text in it is read', async () => {
    expect((await say(sample.message)).target).toContain(JSON.stringify(sample.message));
    const [found, listed] = await findUnread(sample, say, 'asked');
    expect(found).toEqual(listed);
  });
});

const ofServer = [
  ...crossed(serverAnswers, Object.keys(answerWays)).map((row) => [...row, answerWays] as const),
  ...crossed(serverMessages, Object.keys(messageWays)).map((row) => [...row, messageWays] as const),
];

describe.each(ofServer)('%s of a server, %s', (_message, way, sample, all) => {
  const say = (message: Json): Promise<Heard> =>
    (all[way] as Answering)(sample.asked as McpMessage['message'], message);

  test('comes as it is, and every text in it is read', async () => {
    expect((await say(sample.message)).client).toContain(JSON.stringify(sample.message));
    const [found, listed] = await findUnread(sample, say, 'answered');
    expect(found).toEqual(listed);
  });
});
