import { randomUUID } from 'node:crypto';
import { startSignInPeer, type SignInPeer } from '../../../packages/testkit/src/sign-in-peer.ts';
import { judge, type Attack } from '../attack.ts';
import type { Laboratory } from '../laboratory.ts';

/** Where an author of links would like browsers to end that have just signed in. */
const elsewhere = [
  '//evil.example',
  '///evil.example/',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/console//evil.example',
  '/%2f/evil.example',
  '/%5cevil.example',
  '/console/%2e%2e//evil.example',
  '/\u2028/evil.example',
  'https://evil.example/',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '@evil.example',
  '.evil.example',
  ':8443/',
  '/console\r\nlocation: https://evil.example',
];

const get = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(url, { redirect: 'manual', headers });
  const text = await response.text();
  return { status: response.status, text, location: response.headers.get('location') ?? '', headers: response.headers };
};

async function addProvider({ url, admin }: Laboratory, peer: SignInPeer): Promise<string> {
  const name = `Attacked-${randomUUID().slice(0, 8)}`;
  const username = `signed-in-${randomUUID()}`;
  const email = `${username}@example.com`;
  await admin.expect('POST', '/auth/users', { username, email, role: 'viewer' });
  await admin.expect('POST', '/oauth/providers', {
    name,
    provider_type: 'custom',
    issuer: peer.url,
    client_id: peer.clientId,
    client_secret: peer.clientSecret,
    redirect_uri: `${url}/api/v1/auth/oauth/callback/${name}`,
    links_management_users: true,
  });
  peer.behave({ email });
  return name;
}

export const signInLinks: readonly Attack[] = [
  {
    name: 'a link to the sign-in that sends the browser elsewhere when its user has signed in (open redirect)',
    attacker: 'stranger',
    expected: '400 for every place but a path of the gateway, which is where the browser ends',
    async run(laboratory) {
      const { url } = laboratory;
      await using peer = await startSignInPeer();
      const start = `${url}/api/v1/auth/oauth/login/${await addProvider(laboratory, peer)}?session=cookie&return_to=`;
      const faults: string[] = [];
      for (const place of elsewhere) {
        const { status, location } = await get(start + encodeURIComponent(place));
        if (status !== 400) faults.push(`${JSON.stringify(place)} answered ${status} ${location}`);
      }
      const begun = await get(`${start}/console/alerts/5`);
      const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const { location: callback } = await get(begun.location);
      const back = await get(callback, { cookie });
      if (back.location !== `${url}/console/alerts/5`)
        faults.push(`a path of ours led to ${back.status} ${back.location}`);
      return judge(faults, `${elsewhere.length} places refused`);
    },
  },
];
