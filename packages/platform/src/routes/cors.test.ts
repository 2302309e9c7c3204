import { expect, test } from '@jest/globals';
import { csrfHeader } from '@portcullis/contracts/browser-session';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerCors, createOriginRule } from './cors.ts';

const named = 'https://console.example';
const rule = createOriginRule({ ENVIRONMENT: 'development', ALLOWED_ORIGINS: [named] });

test.each([named, 'http://localhost:3000', 'https://evil.example', 'null'])(
  'the header of the CSRF token is allowed to no page, of %s neither: beside it the cookie counts',
  async (origin) => {
    const server = createServer((request, response) => {
      if (!answerCors(request, response, rule, { allow: 'Mcp-Session-Id', expose: 'Mcp-Session-Id' })) response.end();
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const asked = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': csrfHeader.toLowerCase(),
        },
      });
      expect(asked.status).toBe(204);
      for (const name of ['access-control-allow-headers', 'access-control-expose-headers']) {
        expect((asked.headers.get(name) ?? '').toLowerCase()).not.toMatch(/csrf|\*/);
      }
      expect(asked.headers.get('access-control-allow-origin')).not.toBe('*');
    } finally {
      server.close();
    }
  },
);
