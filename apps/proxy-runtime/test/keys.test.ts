import { describe, expect, test } from '@jest/globals';
import { startServerInitiatedMcpPeer } from '@portcullis/testkit/server-initiated-mcp-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { WebSocket } from 'ws';
import { goodKey, listen, startProxy } from './start-proxy.ts';
import { knownTools, send, startToolTarget, tool } from './tool-target.ts';

const [open, closed] = [tool('open'), tool('closed')];
const tools = knownTools([[open], [closed, { enabled: false }]]);

/** Messages that a server which matches keys in any case, or takes the first of two, reads as a call of `closed`. */
const disguises = [
  '{"jsonrpc":"2.0","id":1,"Method":"tools/call","method":"ping","params":{"name":"closed"}}',
  '{"jsonrpc":"2.0","id":1,"METHOD":"tools/call","params":{"name":"closed"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","Params":{"name":"closed"},"params":{"name":"open"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","param\\u017f":{"name":"closed"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","Name":"closed"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","name\\u0000":"closed"}}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"closed"}}',
  '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"id":2,"Method":"tools/call","params":{"name":"closed"}}]',
  '[[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"closed"}}]]',
  '[{"jsonrpc":"2.0","id":1,"method":"ping"},[{"id":2,"method":"tools/call","params":{"name":"closed"}}]]',
  '"{\\"method\\":\\"tools/call\\"}"',
  '7',
];
const honest =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","arguments":{"id":1,"ID":2,"Method":"x","name":"a","Name":"b","properties":{"id":{},"ID":{}}},"_meta":{"a/x":1,"a/X":2}}}';
const answer = () => '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}';

describe('keys of MCP', () => {
  test.each(disguises)('that hide a call are refused: %s', async (body) => {
    await using target = await startToolTarget(answer);
    for (const filtering of ['enforce', 'off'] as const) {
      await using proxy = await startProxy({
        target: target.origin,
        proxy: { type: 'mcp', tools: { ...tools, filtering } },
      });
      const response = await send(proxy, body);
      expect([response.status, await response.json()]).toMatchObject([400, { jsonrpc: '2.0' }]);
    }
    expect(target.seen).toEqual([]);
  });

  test('may be anything within arguments, and arrive as they were sent', async () => {
    await using target = await startToolTarget(answer);
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
    expect((await send(proxy, honest)).status).toBe(200);
    expect(target.seen).toEqual([honest]);
  });

  test.each([
    ['a byte order mark', '\uFEFF', 'utf8'],
    ['UTF-16', '', 'utf16le'],
    ['UTF-16 with its mark', '\uFEFF', 'utf16le'],
  ] as const)('behind %s are refused under every content type', async (_how, mark, encoding) => {
    await using target = await startToolTarget(answer);
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"closed"}}';
    const body = Buffer.from(mark + call, encoding);
    const types = [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ];
    for (const type of types) {
      const headers = { 'content-type': type, 'x-api-key': goodKey };
      const { status } = await send(proxy, '', { headers, body });
      expect([400, 415]).toContain(status);
    }
    expect(target.seen).toEqual([]);
  });

  test('are the same on a WebSocket, which stays open', async () => {
    await using peer = await startServerInitiatedMcpPeer({ tools: [] });
    await using proxy = await startProxy({ target: peer.url, proxy: { type: 'mcp', tools } });
    const socket = new WebSocket(`${proxy.origin.replace('http', 'ws')}/ws`, { headers: { 'x-api-key': goodKey } });
    const heard: unknown[] = [];
    socket.on('message', (data: Buffer) => void heard.push(JSON.parse(data.toString())));
    await new Promise((resolve) => void socket.once('open', resolve));
    for (const [index, body] of disguises.entries()) {
      socket.send(body);
      await waitFor(() => heard.length === index + 1, { what: `the refusal of ${body}` });
      expect(heard[index]).toMatchObject({ jsonrpc: '2.0', error: {} });
    }
    socket.send(Buffer.from(honest, 'utf16le'));
    await waitFor(() => heard.length === disguises.length + 1, { what: 'the refusal of UTF-16' });
    expect(peer.conversations.flatMap((conversation) => conversation.heard)).toEqual([]);
    socket.send(honest);
    await waitFor(() => heard.length === disguises.length + 2, { what: 'the answer' });
    expect(peer.conversations.flatMap((conversation) => conversation.heard)).toHaveLength(1);
    socket.close();
  });

  test.each([
    '{"jsonrpc":"2.0","id":1,"Result":{"tools":[{"name":"closed"}]}}',
    '{"jsonrpc":"2.0","id":1,"result":{"Tools":[{"name":"closed"}]}}',
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"closed"}]},"result":{"content":[]}}',
  ])('that hide a list in an answer do not leave: %s', async (text) => {
    for (const carrier of ['json', 'sse'] as const) {
      await using target = await startToolTarget(() => text, carrier);
      await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
      const response = await send(proxy, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
      expect(await response.text()).not.toContain('closed');
    }
  });
});

const dialects = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  gemini: '/v1beta/models/gemini-2.5-flash:generateContent',
  batches: '/v1/messages/batches',
  other: '/v1/anything',
} as const;

describe('keys of LLM', () => {
  const ask = async (dialect: keyof typeof dialects, body: string) => {
    const seen: string[] = [];
    await using target = await listen((request, response) => {
      seen.push(request.url ?? '');
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await using proxy = await startProxy({ target: target.origin });
    const headers = { 'content-type': 'application/json', 'x-api-key': goodKey };
    const response = await fetch(proxy.origin + dialects[dialect], { method: 'POST', headers, body });
    return { status: response.status, body: await response.text(), seen: seen.length };
  };

  test.each([
    ['chat', '{"model":"a","messages":[],"Messages":[{"role":"user","content":"x"}]}'],
    ['chat', '{"model":"a","MODEL":"b","messages":[]}'],
    ['chat', '{"MODEL":"b","messages":[]}'],
    ['chat', '{"model":"a","me\\u017fsages":[]}'],
    ['chat', '{"model":"a","messages":[{"role":"user","Role":"system","content":"x"}]}'],
    ['chat', '{"model":"a","messages":[{"role":"user","content":[{"type":"text","text":"a","TEXT":"b"}]}]}'],
    ['chat', '{"model":"a","messages":[{"role":"assistant","tool_calls":[{"function":{"name":"a","Name":"b"}}]}]}'],
    ['chat', '{"model":"a","messages":[],"tools":[{"type":"function","function":{"name":"a","Name":"b"}}]}'],
    ['chat', '{"model":"a","messages":[],"x":1,"X":2}'],
    ['messages', '{"model":"a","System":"b","messages":[]}'],
    ['responses', '{"model":"a","input":"b","Instructions":"c"}'],
    ['gemini', '{"contents":[{"role":"user","Parts":[{"text":"a"}]}]}'],
    ['gemini', '{"contents":[],"system_Instruction":{"parts":[]}}'],
    ['batches', '{"requests":[{"custom_id":"1","params":{"model":"a","Messages":[]}}]}'],
    ['other', '{"prompt":"a","Prompt":"b"}'],
  ] as const)('of %s that could be taken for others are refused: %s', async (dialect, body) => {
    const refused = await ask(dialect, body);
    expect([refused.status, refused.body, refused.seen]).toEqual([400, expect.stringMatching(/The key /), 0]);
  });

  test.each([
    [
      'chat',
      '{"model":"a","messages":[{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"a","arguments":"{\\"id\\":1,\\"ID\\":2}"}}]}],"metadata":{"id":"1","ID":"2"}}',
    ],
    [
      'chat',
      '{"model":"a","messages":[],"tools":[{"type":"function","function":{"name":"a","parameters":{"type":"object","properties":{"id":{},"ID":{},"Name":{},"name":{}}}}}]}',
    ],
    [
      'messages',
      '{"model":"a","messages":[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"a","input":{"id":1,"ID":2,"Text":1}}]}],"tools":[{"name":"a","input_schema":{"properties":{"a":{},"A":{}}}}]}',
    ],
    [
      'gemini',
      '{"contents":[{"parts":[{"functionResponse":{"name":"a","response":{"a":1,"A":2}}}]}],"systemInstruction":{"parts":[{"text":"x"}]}}',
    ],
    [
      'responses',
      '{"model":"a","input":[{"type":"function_call","call_id":"1","name":"a","arguments":"{}"},{"type":"function_call_output","call_id":"1","output":"x"}],"text":{"format":{"schema":{"properties":{"a":{},"A":{}}}}}}',
    ],
    ['other', '{"Model":"a","nested":{"a":1,"A":2}}'],
  ] as const)("of %s are the sender's own within data: %s", async (dialect, body) => {
    expect(await ask(dialect, body)).toMatchObject({ status: 200, seen: 1 });
  });
});
