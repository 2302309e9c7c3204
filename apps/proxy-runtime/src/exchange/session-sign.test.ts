import { expect, test } from '@jest/globals';
import { createSessionIds, type SessionSign } from '@portcullis/platform/traffic/session-ids';
import { anthropicMessages } from '../dialects/anthropic/messages.ts';
import { openaiChat } from '../dialects/openai/chat.ts';
import type { Dialect } from '../dialects/shared/dialect.ts';
import type { Exchange } from './exchange.ts';
import { findSessionSign } from './session-sign.ts';

interface Asked {
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly dialect?: Dialect;
  readonly type?: 'llm' | 'mcp';
  readonly session?: string;
  readonly answeredSession?: string;
  readonly timestamp?: string;
}

const exchangeOf = ({ headers = {}, type = 'llm', dialect = openaiChat, ...asked }: Asked) =>
  ({
    timestamp: '2026-03-04T05:06:07.089Z',
    ...asked,
    request: { headers },
    dialect,
    proxy: { id: 9, type },
  }) as unknown as Exchange;
const signOf = (asked: Asked): SessionSign | undefined => findSessionSign(exchangeOf(asked));

const id = '0b3f6d0a-1c2d-4e5f-8a9b-0c1d2e3f4a5b';
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Why is the sky blue?' },
];

test.each<[string, Asked]>([
  ['Claude Code in a header', { headers: { 'x-claude-code-session-id': id } }],
  ['Claude Code in JSON', { json: { metadata: { user_id: JSON.stringify({ device_id: 'd', session_id: id }) } } }],
  ['Claude Code before', { json: { metadata: { user_id: `user_ab_account_cd_session_${id}` } } }],
  ['Codex', { headers: { 'session-id': id } }],
  ['Codex before', { headers: { session_id: id } }],
  ['Codex of a tool', { type: 'mcp', json: { params: { _meta: { 'x-codex-turn-metadata': { session_id: id } } } } }],
  ['opencode', { headers: { 'x-opencode-session': id } }],
  ['opencode for others', { headers: { 'x-session-id': id, 'x-session-affinity': id } }],
  ['a key of the cache', { json: { prompt_cache_key: id, messages } }],
  ['Qwen Code', { json: { metadata: { sessionId: id, promptId: 'p' } } }],
  ['a conversation of OpenAI', { json: { conversation: { id }, input: 'x' } }],
  [
    'a header before all else',
    { headers: { 'x-session-id': id, traceparent }, json: { session_id: 'other', messages } },
  ],
  ['a tool in a session', { type: 'mcp', headers: { 'x-session-id': id }, session: 'of the server' }],
])('an agent names its session: %s', (_name, asked) => {
  expect(signOf(asked)).toEqual({ source: 'agent', text: id });
});

test.each<[string, Asked, string | undefined]>([
  ['a trace before the session of a server', { type: 'mcp', headers: { traceparent }, session: 's' }, 'trace'],
  ['a trace in a message', { type: 'mcp', json: { params: { _meta: { traceparent } } } }, 'trace'],
  ['a trace before a conversation', { headers: { traceparent }, json: { messages } }, 'trace'],
  ['no trace', { headers: { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` } }, undefined],
  ['something else', { headers: { traceparent: 'x' } }, undefined],
  ['the session of a server', { type: 'mcp', session: 's' }, 'mcp'],
  ['the session that a server begins', { type: 'mcp', answeredSession: 's' }, 'mcp'],
  ['a message of no session', { type: 'mcp', json: { method: 'tools/list' } }, undefined],
  ['a conversation', { json: { messages } }, 'conversation'],
  ['a prompt of many conversations', { json: { prompt_cache_key: 'app-v1', messages } }, 'conversation'],
  ['texts to embed', { json: { input: 'Why?' }, dialect: { ...openaiChat, bodies: 'json' } }, undefined],
  ['an id that is too long', { headers: { 'x-session-id': 'x'.repeat(201) } }, undefined],
  ['no body', {}, undefined],
  ['an empty list', { json: { messages: [] } }, undefined],
  ['a list of nothing', { json: { messages: [null, 1, 'x'] } }, undefined],
])('else it is recognised by %s', (_name, asked, source) => {
  expect(signOf(asked)?.source).toBe(source);
});

test('a conversation is the same while it grows, and another for other words, another user and another day', () => {
  const answer = { role: 'assistant', content: 'Rayleigh scattering.' };
  const first = signOf({ json: { messages } });
  expect(signOf({ json: { messages: [...messages, answer, { role: 'user', content: 'And at night?' }] } })).toEqual(
    first,
  );
  const parts = [{ role: 'user', content: [{ type: 'text', text: 'Why is the sky blue?' }] }];
  expect(signOf({ json: { messages: parts }, dialect: anthropicMessages })).toEqual(first);
  expect(signOf({ json: { messages: [{ role: 'user', content: 'Why is the grass green?' }] } })).not.toEqual(first);
  expect(signOf({ json: { messages, user: 'ada' } })).not.toEqual(first);
  expect(signOf({ json: { messages }, timestamp: '2026-03-05T00:00:00.000Z' })).not.toEqual(first);
});

test('an id belongs to its caller, and says neither who that is nor what was asked', () => {
  const render = createSessionIds('secret');
  const caller = (key: object | undefined, clientIp = '192.0.2.1') =>
    ({ key, user: undefined, certificate: undefined, clientIp }) as unknown as Exchange;
  const sign = { source: 'agent', text: id } as const;
  const own = render(sign, caller({ id: 1 }));
  expect(own).toMatch(/^agent_[\w-]{22}$/);
  expect(render(sign, caller({ id: 1 }, '192.0.2.2'))).toBe(own);
  const others = [
    render(sign, caller({ id: 2 })),
    render(sign, caller(undefined)),
    render(sign, caller(undefined, '192.0.2.2')),
    render({ source: 'trace', text: id }, caller({ id: 1 })),
    createSessionIds('another')(sign, caller({ id: 1 })),
  ];
  expect(new Set([own, ...others]).size).toBe(6);
});
