import { findFreePort } from '@portcullis/testkit/free-port';
import { createLogger } from 'winston';
import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClientAddress } from '../http/client-address.ts';
import { createEdgeSeal } from '../http/edge-seal.ts';
import { plainRefusals } from './edge-refusals.ts';
import { createRequestForwarder } from './request-forwarder.ts';

async function listen(opened: AsyncDisposableStack, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An edge in front of a service whose processes have these addresses, each in turn. */
async function openEdge(opened: AsyncDisposableStack, addresses: readonly string[]) {
  const avoided: string[] = [];
  let turn = 0;
  const forward = opened.use(
    createRequestForwarder({
      directory: {
        pick: () => addresses[turn++ % addresses.length],
        avoid: (address) => void avoided.push(address),
      },
      clientAddress: createClientAddress([]),
      seal: createEdgeSeal('a secret of the test that is long enough'),
      refusals: plainRefusals,
      log: createLogger({ silent: true }),
    }),
  );
  const { http } = forward({ service: 'example', prefix: '/' });
  return { edge: await listen(opened, http), avoided };
}

test('a request that changes nothing goes on to the next process when the first is gone, another one is refused', async () => {
  await using opened = new AsyncDisposableStack();
  const alive = await listen(opened, (_request, response) => void response.end('here'));
  const gone = `http://127.0.0.1:${await findFreePort()}`;
  const { edge, avoided } = await openEdge(opened, [gone, alive]);

  const read = await fetch(edge);
  expect([read.status, await read.text()]).toEqual([200, 'here']);
  expect(avoided).toEqual([gone]);

  const change = await fetch(edge, { method: 'POST', body: 'text' });
  expect(change.status).toBe(503);
  expect(avoided).toEqual([gone, gone]);
});

test('a connection that is reset is no answer: one more process is asked, and no third', async () => {
  await using opened = new AsyncDisposableStack();
  let asked = 0;
  const resetting = await listen(opened, (request) => {
    asked += 1;
    request.socket.resetAndDestroy();
  });
  const { edge } = await openEdge(opened, [resetting]);
  expect((await fetch(edge)).status).toBe(503);
  expect(asked).toBe(2);
});
