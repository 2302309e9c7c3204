import { describe, expect, test } from '@jest/globals';
import type { Exchange } from '../exchange/exchange.ts';
import { anthropicMessages } from '../dialects/anthropic/messages.ts';
import { anyJson } from '../dialects/any/any-json.ts';
import { gemini } from '../dialects/google/generate-content.ts';
import { openaiChat } from '../dialects/openai/chat.ts';
import { renderTargetHeaders, renderTargetPath } from './target-request.ts';

describe('renderTargetPath', () => {
  test.each([
    ['', '/v1/chat/completions', '?a=1', '/v1/chat/completions?a=1'],
    ['', '/a/../b', '', '/a/../b'],
    ['/v1', '/v1/chat', '', '/v1/chat'],
    ['/v1', '/chat', '', '/v1/chat'],
    ['/v1', '/v10/chat', '', '/v1/v10/chat'],
    ['/mcp', '/mcp', '', '/mcp'],
    ['/mcp', '/', '?s=1', '/mcp?s=1'],
    ['/base', '/../admin', '', undefined],
    ['', '/../a', '', undefined],
    ['/base', '/x/%2E%2e/../admin', '', undefined],
    ['/base', '/base/x/../y', '', '/base/x/../y'],
    ['/base', '/base/../base/x', '', undefined],
    ['/base', '/a%2fb;c=d/%C3%A9%20.../.well-known?', '', '/base/a%2fb;c=d/%C3%A9%20.../.well-known?'],
    ['/base', '/files/50%25%20off', '', '/base/files/50%25%20off'],
    ['', 'http://elsewhere/', '', undefined],
    ['', '*', '', undefined],
    ...[
      '/..%2fadmin',
      '/..%2Fadmin',
      '/%2e%2e%2fadmin',
      '/..;/admin',
      '/..;a=b/admin',
      '/;/../admin',
      '/x/..;/..;/admin',
      '/a;b/../../admin',
      '/..\\admin',
      '/a\\..\\..\\admin',
      '/..%5cadmin',
      '/..%255c/admin',
      '/%252e%252e/admin',
      '/%25252e%25252e/admin',
      '/%2%65%2e/admin',
      '/..%00/admin',
      '/..%20/admin',
      '/.%09./admin',
      '/%c0%ae%c0%ae/admin',
      '/..%c0%afadmin',
      '/..%u002fadmin',
      '/x//../../admin',
      '/x/./../../admin',
      '/x%2f..%2f..%2fadmin',
      '/x%2fy/../../admin',
      '/x;/y/../../../admin',
      '/a%ff%2f..%2f../admin',
      `/%${'25'.repeat(20)}2e/admin`,
    ].map((path) => ['/base', path, '', undefined] as const),
  ])('base %j and path %j%j become %j', (base, path, query, expected) => {
    expect(renderTargetPath(base, path, query)).toBe(expected);
  });
});

describe('renderTargetHeaders', () => {
  const render = (
    raw: Record<string, string>,
    extra: Partial<Record<string, unknown>> = {},
  ): Record<string, string> => {
    const headers = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name.toLowerCase(), value]));
    const exchange = {
      id: 'request-1',
      body: { bytes: Buffer.from('{}') },
      snapshot: { oauth: { keys: new Map() } },
      request: { rawHeaders: Object.entries(raw).flat(), headers },
      presentedKey: { token: 'k', header: 'x-api-key' },
      proxy: { target: { host: 'target:1', auth: undefined }, forwardGatewayKey: false },
      ...extra,
    } as unknown as Exchange;
    const flat = renderTargetHeaders(exchange);
    const pairs: [string, string][] = [];
    for (let index = 0; index < flat.length; index += 2) pairs.push([flat[index] as string, flat[index + 1] as string]);
    return Object.fromEntries(pairs);
  };

  test('the gateway key stays here, another Authorization passes unchanged', () => {
    const headers = render({ 'X-API-Key': 'gw_1', Authorization: 'Bearer theirs', 'Content-Type': 'application/json' });
    expect(headers).not.toHaveProperty('x-api-key');
    expect(headers).toMatchObject({ authorization: 'Bearer theirs', 'content-type': 'application/json' });
  });

  test('forward_gateway_key restores the literal reading', () => {
    const proxy = { target: { host: 'target:1', auth: undefined }, forwardGatewayKey: true };
    expect(render({ 'X-API-Key': 'gw_1' }, { proxy })).toMatchObject({ 'x-api-key': 'gw_1' });
  });

  test('target credentials replace what the client sent', () => {
    const auth = { header: 'Authorization', value: 'Bearer vendor' };
    const proxy = { target: { host: 'target:1', auth }, forwardGatewayKey: false };
    expect(render({ Authorization: 'Bearer theirs' }, { proxy })).toMatchObject({ authorization: 'Bearer vendor' });
  });

  test.each([
    ['openai', openaiChat, {}, 'authorization', 'Bearer vendor'],
    ['anthropic', anthropicMessages, {}, 'x-api-key', 'vendor'],
    ['gemini', gemini, {}, 'x-goog-api-key', 'vendor'],
    ['anything, as Google asks', anyJson, { header: 'query' }, 'x-goog-api-key', 'vendor'],
    ['anything, as Azure asks', anyJson, { header: 'api-key' }, 'api-key', 'vendor'],
    ['anything', anyJson, { header: 'x-api-key' }, 'authorization', 'Bearer vendor'],
  ] as const)(
    'a key without a header goes where %s has it, in the place of all others',
    (_, dialect, presented, name, value) => {
      const proxy = { type: 'llm', target: { host: 'target:1', auth: { value: 'vendor' } }, forwardGatewayKey: false };
      const sent = {
        Authorization: 'Bearer gw_1',
        'X-API-Key': 'theirs',
        'X-Goog-Api-Key': 'theirs',
        'Api-Key': 'gw_1',
      };
      const presentedKey = { token: 'gw_1', header: 'authorization', ...presented };
      const {
        host: _host,
        'accept-encoding': _encoding,
        'x-request-id': _id,
        'content-length': _length,
        ...keys
      } = render(sent, { proxy, dialect, presentedKey });
      expect(keys).toEqual({ [name]: value });
    },
  );

  test('the gateway key stays here wherever else it stands', () => {
    const headers = render(
      { 'X-API-Key': 'gw_1', Authorization: 'Bearer gw_1', 'X-Goog-Api-Key': 'theirs' },
      {
        presentedKey: { token: 'gw_1', header: 'x-api-key' },
      },
    );
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).toMatchObject({ 'x-goog-api-key': 'theirs' });
  });

  test('hop-by-hop headers, and those the Connection header names, end here', () => {
    const headers = render({
      Host: 'gateway',
      Connection: 'close, X-Secret-Hop',
      'X-Secret-Hop': '1',
      'Transfer-Encoding': 'chunked',
      'Proxy-Authorization': 'x',
      Upgrade: 'h2c',
      TE: 'trailers',
      'Accept-Encoding': 'gzip',
      'X-Kept': 'yes',
    });
    expect(headers).toEqual({
      host: 'target:1',
      'x-kept': 'yes',
      'accept-encoding': 'identity',
      'x-request-id': 'request-1',
      'content-length': '2',
    });
  });

  test.each([
    ['portcullis_session=a.b.c', undefined],
    ['__Host-portcullis_session=a.b.c', undefined],
    ['theme=dark; portcullis_session=a.b.c;lang=en', 'theme=dark; lang=en'],
    ['theme=dark;lang=en', 'theme=dark;lang=en'],
    ['portcullis_sessions=mine', 'portcullis_sessions=mine'],
  ])('the session of a browser is no business of the target: %s', (cookie, expected) => {
    expect(render({ Cookie: cookie })['cookie']).toBe(expected);
  });

  test('the trace of the caller passes unchanged, unless this gateway has a span of its own to tell', () => {
    const theirs = { Traceparent: '00-1-2-01', Tracestate: 'vendor=1' };
    expect(render(theirs)).toMatchObject({ traceparent: '00-1-2-01', tracestate: 'vendor=1' });
    const trace = { targetHeaders: () => ['traceparent', '00-1-3-01'] };
    const headers = render(theirs, { trace });
    expect(headers['traceparent']).toBe('00-1-3-01');
    expect(headers).not.toHaveProperty('tracestate');
  });
});
