import { once } from 'node:events';
import { connect } from 'node:net';
import type { SecureVersion } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../../../packages/testkit/src/wait-for.ts';
import { createTestAuthority } from '../../../packages/testkit/src/test-authority.ts';
import { judge, type Attack } from '../attack.ts';
import { openTlsGateway, shakeHands } from '../tls-gateway.ts';

const oldVersions: readonly SecureVersion[] = ['TLSv1', 'TLSv1.1'];
/** Of TLS 1.2: without forward secrecy, with blocks in a chain, without a certificate, without encryption. */
const weakCiphers = [
  'AES128-SHA',
  'AES256-GCM-SHA384',
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA384',
  'ECDHE-RSA-AES128-SHA256',
  'DES-CBC3-SHA',
  'AECDH-AES128-SHA',
  'ADH-AES128-GCM-SHA256',
  'ECDHE-ECDSA-NULL-SHA',
  'PSK-AES128-GCM-SHA256',
];
/** Has OpenSSL offer what it would not by itself. */
const lax = (ciphers: string): string => `${ciphers}:@SECLEVEL=0`;

const sendInClear = async (port: number): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /api/v1/health HTTP/1.1\r\nhost: gateway\r\n\r\n');
  let came = '';
  socket.on('data', (data: Buffer) => (came += data.toString('latin1')));
  await Promise.race([once(socket, 'close'), pause(5_000)]);
  socket.destroy();
  return came;
};

export const tlsPorts: readonly Attack[] = [
  {
    name: 'TLS 1.0 and 1.1, weak ciphers and clear text, on the public port and on a proxy',
    attacker: 'stranger',
    expected: 'no handshake and no answer; TLS 1.2 and 1.3 are agreed on',
    async run(laboratory) {
      await using place = await openTlsGateway(laboratory);
      const faults: string[] = [];
      for (const port of [Number(new URL(place.gateway.url).port), place.proxy.port]) {
        for (const version of oldVersions) {
          const old = { minVersion: version, maxVersion: version, ciphers: lax('ALL') };
          if ((await shakeHands(port, old)) !== undefined) faults.push(`${version} on ${port}`);
        }
        for (const cipher of weakCiphers) {
          const got = await shakeHands(port, { maxVersion: 'TLSv1.2', ciphers: lax(cipher) }).catch(() => undefined);
          if (got !== undefined) faults.push(`${got.cipher} on ${port}`);
        }
        if (/HTTP\/1\.1|{/.test(await sendInClear(port))) faults.push(`an answer in clear on ${port}`);
        for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
          const good = await shakeHands(port, { minVersion: version, maxVersion: version });
          if (good?.protocol !== version) faults.push(`no ${version} on ${port}`);
        }
      }
      return judge(faults, `${oldVersions.length} versions and ${weakCiphers.length} ciphers refused on both ports`);
    },
  },
  {
    name: 'the pair swapped under traffic: for a good one, for halves of two, for one of nonsense',
    attacker: 'stranger',
    expected: 'no request fails, and no connection meets a pair that does not fit',
    slow: true,
    async run(laboratory) {
      await using place = await openTlsGateway(laboratory);
      const { authority, proxy } = place;
      const other = await createTestAuthority('CN=Another');
      const [next, half] = [await authority.issue({ subject: 'CN=next' }), await other.issue({ subject: 'CN=half' })];
      const end = new AbortController();
      const faults: string[] = [];
      let asked = 0;
      const traffic = (async () => {
        while (!end.signal.aborted) {
          const { status } = await place
            .ask({ headers: { 'x-api-key': proxy.key } })
            .catch((error: Error) => ({ status: error.message }));
          if (status !== 200) faults.push(`a request was answered ${status}`);
          asked += 1;
          await pause(10);
        }
      })();
      const nameOn = async () => (await shakeHands(proxy.port, {}))?.name;
      place.writePair({ cert: half.cert, key: next.key });
      await pause(5_000);
      if ((await nameOn()) !== 'gateway') faults.push('halves of two pairs are in force');
      place.writePair({ cert: 'nonsense', key: 'nonsense' });
      await pause(5_000);
      if ((await nameOn()) !== 'gateway') faults.push('nonsense took the pair away');
      place.writePair(next);
      await waitFor(async () => (await nameOn()) === 'next', { what: 'the good pair', timeoutMs: 10_000 });
      end.abort();
      await traffic;
      return judge(faults, `${asked} requests meanwhile, all answered; the good pair is in force`);
    },
  },
];
