import { expect, test } from '@jest/globals';
import { consoleAddressOf } from './public-base.ts';

test.each([
  [{}, undefined],
  [{ PUBLIC_URL: 'https://gw.example/' }, 'https://gw.example/console/alerts/5'],
  [{ PUBLIC_URL: 'https://shared.example/gate' }, 'https://shared.example/gate/console/alerts/5'],
  [
    { PUBLIC_URL: 'https://api.example', OAUTH_REDIRECT_BASE_URL: 'https://people.example' },
    'https://people.example/console/alerts/5',
  ],
])('a message links to the alert where browsers reach the gateway: %j', (config, expected) => {
  const nothing = { PUBLIC_URL: undefined, OAUTH_REDIRECT_BASE_URL: undefined };
  expect(consoleAddressOf({ ...nothing, ...config }, 'alerts/5')).toBe(expected);
});
