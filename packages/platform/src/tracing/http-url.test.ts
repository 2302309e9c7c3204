import { expect, test } from '@jest/globals';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { originOf, renderHttpUrl } from './http-url.ts';

test.each([
  ['/api/v1/proxies', 'http://gateway/api/v1/proxies'],
  ['/search?q=my+secret&page=2', 'http://gateway/search?q=*&page=*'],
  ['/ws?token=eyJ.a.b', 'http://gateway/ws?token=*'],
  ['/x?gw_bare_key', 'http://gateway/x?*'],
  ['/x?%67%77=1&=2', 'http://gateway/x?*&*'],
  ['http://user:password@elsewhere/x', 'http://gateway/'],
  ['*', 'http://gateway/'],
])('%s reads %s', (target, url) => expect(renderHttpUrl('http://gateway', target)).toBe(url));

test('what is too long is cut', () => {
  expect(renderHttpUrl('http://gateway', `/${'x'.repeat(5_000)}?a=1`)).toHaveLength(1_024);
  expect(renderHttpUrl('http://gateway', `/?${'a=1&'.repeat(100)}`).split('&')).toHaveLength(32);
});

test.each([
  ['https', new TLSSocket(new Socket())],
  ['http', new Socket()],
])('the scheme is %s as the connection is', (scheme, socket) => {
  const request = new IncomingMessage(socket);
  request.headers.host = 'gateway:8443';
  expect(originOf(request)).toBe(`${scheme}://gateway:8443`);
});
