import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { ClientGone, receiveBody } from './receive-body.ts';

let server: Server;
beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const send = (body: string) => {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n${body}`);
  return client;
};
const nextRequest = async () => (await once(server, 'request'))[0] as IncomingMessage;

test('a body is received when it is asked for', async () => {
  const coming = nextRequest();
  send('a body');
  const request = await coming;
  expect((await receiveBody(request, 6)).toString()).toBe('a body');
});

test.each([
  ['before its body', ''],
  ['in the middle of it', 'a b'],
  ['behind it', 'a body'],
])('a client that left %s before anybody asked for it is gone', async (_when, body) => {
  const coming = nextRequest();
  const client = send(body);
  const request = await coming;
  const closed = once(request, 'close').catch(() => undefined);
  client.destroy();
  await closed;
  await expect(receiveBody(request, 6)).rejects.toThrow(ClientGone);
});
