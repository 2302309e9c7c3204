import { expect, test } from '@jest/globals';
import { checkOwnPortOrThrow } from './check-own-port.ts';

test.each(['http://localhost:8100/v1', 'http://127.0.0.1:8100', 'http://[::1]:8100', 'http://x.localhost:8100'])(
  'a proxy on port 8100 in front of %s is refused',
  (target) => {
    expect(() => checkOwnPortOrThrow({ target, port: 8_100 })).toThrow('Invalid request');
  },
);

test('a proxy on the default port of its scheme is found, too', () => {
  expect(() => checkOwnPortOrThrow({ target: 'https://localhost', port: 443 })).toThrow('Invalid request');
});

test.each(['http://localhost:8101', 'http://api.example:8100', 'http://192.0.2.1:8100', 'not a URL'])(
  'a proxy on port 8100 in front of %s is fine',
  (target) => {
    expect(() => checkOwnPortOrThrow({ target, port: 8_100 })).not.toThrow();
  },
);
