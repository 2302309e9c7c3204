import { expect, test } from '@jest/globals';
import { goodKey, listen, startProxy } from './start-proxy.ts';

const own = [
  'portcullis_session=planted; Path=/',
  '__Host-portcullis_session=planted; Path=/; Secure',
  '  portcullis_session = planted',
  '=portcullis_session=planted',
  'portcullis_sign_in=planted; Path=/api/v1/oauth/callback',
  '__Host-portcullis_session=; Max-Age=0; Path=/; Secure',
];

test.each([
  { told: 'among others', others: ['theme=dark', 'a=portcullis_session=1; Path=/'] },
  { told: 'alone', others: [] },
])('a target sets no cookie of the gateway in a browser, whose ports share them: $told', async ({ others }) => {
  await using target = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': [...own, ...others] }).end('{}');
  });
  await using proxy = await startProxy({ target: target.origin });
  const answer = await fetch(`${proxy.origin}/v1/models`, { headers: { 'x-api-key': goodKey } });
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, others]);
});
