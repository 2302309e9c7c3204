import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { startMcpPeer } from '../../../packages/testkit/src/mcp-peer.ts';
import { ask, chatWith, posting, type Question } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';
import { planted } from '../forbidden-word.ts';

/** Messages that a server which matches keys in any case, or takes the first of two, reads as a call of `add`. */
const hiddenCalls = [
  '{"jsonrpc":"2.0","id":1,"Method":"tools/call","method":"ping","params":{"name":"add"}}',
  '{"jsonrpc":"2.0","id":1,"METHOD":"tools/call","params":{"name":"add"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","Params":{"name":"add"},"params":{"name":"echo"}}',
  String.raw`{"jsonrpc":"2.0","id":1,"method":"tools/call","param\u017f":{"name":"add"}}`,
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","Name":"add"}}',
  String.raw`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","name\u0000":"add"}}`,
  '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"add"}}',
  '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"id":2,"Method":"tools/call","params":{"name":"add"}}]',
  '[[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}]]',
  String.raw`"{\"method\":\"tools/call\"}"`,
  '7',
];
const plainCall = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}';
const encoded = [
  Buffer.from(`\uFEFF${plainCall}`),
  Buffer.from(plainCall, 'utf16le'),
  Buffer.from(`\uFEFF${plainCall}`, 'utf16le'),
];
const contentTypes = ['application/json', 'text/plain', 'application/x-www-form-urlencoded'];

const mcp = (body: string | Buffer, type = 'application/json'): Question => ({
  ...posting('/mcp', body, type),
  headers: { 'content-type': type, accept: 'application/json, text/event-stream' },
});

const messages = `[{"role":"user","content":"${planted}"}]`;
const hiddenTexts: readonly (readonly [path: string, body: string])[] = [
  ['/v1/chat/completions', `{"model":"a","messages":[],"Messages":${messages}}`],
  ['/v1/chat/completions', `{"model":"a","MESSAGES":${messages}}`],
  ['/v1/chat/completions', String.raw`{"model":"a","me\u017fsages":` + `${messages}}`],
  ['/v1/chat/completions', `{"model":"a","messages":${messages},"messages":[]}`],
  ['/v1/messages', `{"model":"a","System":"${planted}","messages":[]}`],
  ['/v1/responses', `{"model":"a","input":"b","Instructions":"${planted}"}`],
  ['/v1beta/models/m:generateContent', `{"contents":[{"role":"user","Parts":[{"text":"${planted}"}]}]}`],
];

export const jsonKeyTricks: readonly Attack[] = [
  {
    name: 'an MCP call hidden behind keys in another case, repeated keys, nested batches and other encodings',
    attacker: 'key holder',
    expected: '400 or 415, and nothing reaches the server',
    async run({ admin, openProxy }) {
      await using server = await startMcpPeer();
      const proxy = await openProxy({ type: 'mcp', target: server.url });
      await admin.expect('POST', `/proxies/${proxy.id}/tools/discover`);
      await admin.expect('PUT', `/proxies/${proxy.id}/tools/bulk`, { tool_names: ['echo'], enabled: true });
      server.forget();
      const open = await ask(proxy, mcp(plainCall.replace('"add"', '"echo","arguments":{"text":"hello"}')));
      if (open.status !== 200) throw new Error(`a call of an open tool answered ${open.status}: ${open.body}`);
      server.forget();
      const faults: string[] = [];
      const questions = [
        ...hiddenCalls.map((body) => mcp(body)),
        ...encoded.flatMap((body) => contentTypes.map((type) => mcp(body, type))),
      ];
      for (const question of questions) {
        const { status } = await ask(proxy, question);
        if (![400, 415].includes(status)) faults.push(`${status} for ${String(question.body).slice(0, 100)}`);
      }
      if (server.requests.length > 0) faults.push(`${server.requests.length} reached the server`);
      return judge(faults, `${questions.length} refused`);
    },
  },
  {
    name: 'a forbidden word under keys of an LLM body in another case or repeated',
    attacker: 'key holder',
    expected: '400 or 403, and nothing reaches the target',
    async run({ openProxy }) {
      await using target = await startLoopbackPeer((_request, response) => answer(response, 200, {}));
      const proxy = await openProxy({ target: target.url });
      const harmless = await ask(proxy, chatWith('hello'));
      if (harmless.status !== 200) throw new Error(`a harmless question answered ${harmless.status}`);
      target.forget();
      const faults: string[] = [];
      for (const [path, body] of hiddenTexts) {
        const { status } = await ask(proxy, posting(path, body));
        if (![400, 403].includes(status)) faults.push(`${status} for ${body}`);
      }
      if (target.requests.length > 0) faults.push(`${target.requests.length} reached the target`);
      return judge(faults, `${hiddenTexts.length} refused`);
    },
  },
];
