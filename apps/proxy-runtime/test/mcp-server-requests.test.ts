import { describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import {
  startServerInitiatedMcpPeer,
  wires,
  type ServerInitiatedMcpPeer,
  type Wire,
} from '@portcullis/testkit/server-initiated-mcp-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { housePolicy } from './mcp-block-policy.ts';
import { connectOver, createClient } from './official-client.ts';
import { startProxy } from './start-proxy.ts';
import { recordsOf } from './tool-target.ts';

const bad = 'marzipan';
const sampling = (text: string) => ({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 10 });
const schema = (property: object) => ({ type: 'object', properties: { answer: { type: 'string', ...property } } });
const elicitation = (message: string, property: object = {}) => ({ message, requestedSchema: schema(property) });

/** What a server asks of its own accord, and where it may hide something in it. */
const badQuestions = [
  ['sampling, in a message', 'sampling/createMessage', sampling(bad)],
  ['sampling, in the system prompt', 'sampling/createMessage', { ...sampling('hello'), systemPrompt: bad }],
  ['elicitation, in its message', 'elicitation/create', elicitation(bad)],
  ['elicitation, in the title of a field', 'elicitation/create', elicitation('Who?', { title: bad })],
  ['elicitation, in a choice', 'elicitation/create', elicitation('Who?', { enum: ['one', bad] })],
  [
    'elicitation, in the name of a field',
    'elicitation/create',
    {
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { [`what you know about ${bad}`]: { type: 'string' } } },
    },
  ],
  ['roots, in the metadata', 'roots/list', { _meta: { note: bad } }],
] as const;

const goodQuestions = [
  ['sampling/createMessage', sampling('hello')],
  ['elicitation/create', elicitation('Who are you?')],
  ['roots/list', {}],
] as const;

/** Has the client answer everything with this text. */
function answerWith(client: Client, text: string): string[] {
  const asked: string[] = [];
  client.setRequestHandler('sampling/createMessage', () => {
    asked.push('sampling/createMessage');
    return { role: 'assistant', model: 'm', content: { type: 'text', text } };
  });
  client.setRequestHandler('elicitation/create', () => {
    asked.push('elicitation/create');
    return { action: 'accept', content: { answer: text } };
  });
  client.setRequestHandler('roots/list', () => {
    asked.push('roots/list');
    return { roots: [{ uri: 'file:///home', name: text }] };
  });
  return asked;
}

async function connect(peer: ServerInitiatedMcpPeer, wire: Wire, text: string) {
  const proxy = await startProxy({ target: peer.url, policies: [housePolicy], proxy: { type: 'mcp' } });
  const client = createClient();
  const asked = answerWith(client, text);
  await connectOver(client, wire, proxy.origin);
  const conversation = await waitFor(() => peer.conversations.at(-1)?.canSpeak && peer.conversations.at(-1), {
    what: 'the way to the client',
  });
  return {
    asked,
    conversation,
    proxy,
    async [Symbol.asyncDispose]() {
      await client.close();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

describe.each(wires)('what a server asks of its own accord over %s', (wire) => {
  test('reaches the client, and the answers the server', async () => {
    await using peer = await startServerInitiatedMcpPeer();
    await using open = await connect(peer, wire, 'harmless');
    for (const [method, params] of goodQuestions) {
      const { result } = await open.conversation.ask(method, params);
      expect(JSON.stringify(result)).toContain('harmless');
    }
    expect(open.asked).toEqual(goodQuestions.map(([method]) => method));
    expect(recordsOf(open.proxy, 'alert')).toEqual([]);
  });

  test.each(badQuestions)('is kept from the client where a policy blocks %s', async (_where, method, params) => {
    await using peer = await startServerInitiatedMcpPeer();
    await using open = await connect(peer, wire, 'harmless');
    const answer = await open.conversation.ask(method, params);
    expect(answer).toMatchObject({ error: { code: -32_001, message: 'Request blocked by security policy' } });
    expect(open.asked).toEqual([]);
    await waitFor(() => recordsOf(open.proxy, 'alert').length > 0, { what: 'the alert' });
    expect(recordsOf(open.proxy, 'alert')).toMatchObject([{ action: 'Block', rule_id: 'SECRET' }]);
    // The conversation goes on.
    expect(await open.conversation.ask('ping', {})).toMatchObject({ result: {} });
  });

  test.each(goodQuestions)(
    'is answered with an error where a policy blocks what the client says, %s',
    async (method, params) => {
      await using peer = await startServerInitiatedMcpPeer();
      await using open = await connect(peer, wire, bad);
      const answer = await open.conversation.ask(method, params);
      expect(answer).toMatchObject({ error: { message: 'Request blocked by security policy' } });
      expect(open.asked).toEqual([method]);
      expect(JSON.stringify(open.conversation.heard)).not.toContain(bad);
      expect(recordsOf(open.proxy, 'alert')).toMatchObject([{ action: 'Block', rule_id: 'SECRET' }]);
      expect(await open.conversation.ask('ping', {})).toMatchObject({ result: {} });
    },
  );
});
