import { Agent } from 'node:https';
import { createTestAuthority } from '../../../packages/testkit/src/test-authority.ts';
import { judge, type Attack } from '../attack.ts';
import { openTlsGateway } from '../tls-gateway.ts';

const subject = 'CN=agent,O=Example';
/** The same as it stands in a certificate: the most general part first. */
const issued = 'O=Example,CN=agent';
/** By which load balancers tell their servers of the certificate of a client. */
const pretences: readonly Readonly<Record<string, string>>[] = [
  { 'x-forwarded-client-cert': `Subject="${subject}"`, 'x-forwarded-tls-client-cert': subject },
  { 'ssl-client-verify': 'SUCCESS', 'ssl-client-subject-dn': subject, 'ssl-client-cert': subject },
  { 'x-ssl-client-verify': 'SUCCESS', 'x-ssl-client-s-dn': subject, 'x-client-dn': subject },
  {
    'x-client-cert': subject,
    'x-arr-clientcert': subject,
    'client-cert': ':Zm9v:',
    forwarded: `for=_x;cert="${subject}"`,
  },
];

export const clientCertificates: readonly Attack[] = [
  {
    name: 'certificates of a foreign authority, ended, for servers, unbound, look-alikes, and headers that pretend one',
    attacker: 'stranger',
    expected:
      '401 for all; the one that is bound is served until its group is closed, also on a connection that stands',
    async run(laboratory) {
      await using place = await openTlsGateway(laboratory);
      const { authority, model, proxy } = place;
      const { admin } = place.gateway;
      const other = await createTestAuthority('CN=Authority for tests');
      const good = await authority.issue({ subject: issued, client: true });
      const strangers = {
        foreign: await other.issue({ subject: issued, client: true }),
        ended: await authority.issue({ subject: issued, client: true, days: -1 }),
        'for servers': await authority.issue({ subject: issued }),
        unbound: await authority.issue({ subject: 'O=Other,CN=agent', client: true }),
        'look-alike': await authority.issue({ subject: String.raw`CN=agent\,O\=Example`, client: true }),
        'other case': await authority.issue({ subject: 'O=Example,CN=AGENT', client: true }),
      };
      const group = `/user-groups/${proxy.groupId}`;
      await admin.expect('PUT', group, { client_certificate_subject: subject });
      const faults: string[] = [];
      const expectRefused = async (what: string, ...question: Parameters<typeof place.ask>): Promise<void> => {
        // A handshake that fails is a refusal as well.
        const { status } = await place.ask(...question).catch(() => ({ status: 401 }));
        if (status !== 401) faults.push(`${status} for ${what}`);
      };
      for (const [what, pair] of Object.entries(strangers)) await expectRefused(what, {}, pair);
      for (const headers of pretences) await expectRefused(Object.keys(headers).join(), { headers });
      await expectRefused('none');
      if (model.requests.length > 0) faults.push('one reached the target');

      const closings: readonly (readonly [name: string, close: object, open: object])[] = [
        ['unbound', { client_certificate_subject: null }, { client_certificate_subject: subject }],
        ['inactive', { active: false }, { active: true }],
      ];
      for (const [what, close, open] of closings) {
        using agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1, ca: authority.cert, ...good }), {
          [Symbol.dispose]: () => agent.destroy(),
        });
        const served = await place.ask({}, { agent } as object);
        if (served.status !== 200) faults.push(`${served.status} for the one that is bound`);
        await admin.expect('PUT', group, close);
        await expectRefused(`the one of a group that is ${what}`, {}, { agent } as object);
        await admin.expect('PUT', group, open);
      }
      const refused = Object.keys(strangers).length + pretences.length + closings.length;
      return judge(faults, `${refused} refused, the good one served`);
    },
  },
];
