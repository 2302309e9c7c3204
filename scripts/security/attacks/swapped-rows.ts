import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cutAuditLog } from '../../../packages/platform/test/cut-audit-log.ts';
import { setUpProxy } from '../../../apps/gateway/test/set-up-proxy.ts';
import { answer, startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { testSecrets } from '../../../packages/testkit/src/test-gateway.ts';
import { waitFor } from '../../../packages/testkit/src/wait-for.ts';
import { ask, chatWith } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';

const secret = 'sk-of-another-proxy';
const verifier = join(import.meta.dirname, '../../../apps/management-api/src/verify-audit.ts');

export const swappedRows: readonly Attack[] = [
  {
    name: "credentials of one proxy's target in the row of a proxy that leads elsewhere",
    attacker: 'database',
    expected: 'they do not open there, and no request goes on with them',
    slow: true,
    async run({ openPlace }) {
      await using place = await openPlace();
      await using own = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
      await using elsewhere = await startLoopbackPeer((_request, response) => answer(response, 200, { choices: [] }));
      const first = await place.start();
      const honest = await setUpProxy(first.admin, own.url, { targetKey: secret });
      const thief = await setUpProxy(first.admin, elsewhere.url, { targetKey: 'sk-of-their-own' });
      await ask(honest, chatWith('hello'));
      if (!JSON.stringify(own.requests).includes(secret)) throw new Error('the credentials are not in force');
      await first.stop();
      await using database = await place.openDatabase();
      const { kysely } = database;
      const { target_auth: sealed } = await kysely
        .selectFrom('proxies')
        .select('target_auth')
        .where('id', '=', honest.id)
        .executeTakeFirstOrThrow();
      await kysely.updateTable('proxies').set({ target_auth: sealed }).where('id', '=', thief.id).execute();
      await database[Symbol.asyncDispose]();
      await place.start();
      await waitFor(async () => (await ask(honest, chatWith('hello'))).status === 200, { what: 'the honest proxy' });
      const outcome = await ask(thief, chatWith('hello')).then(
        ({ status }) => `answered ${status}`,
        () => 'its port stays closed',
      );
      return judge(JSON.stringify(elsewhere.requests).includes(secret) ? ['they came'] : [], outcome);
    },
  },
  {
    name: 'the end of the audit log cut off together with its seals',
    attacker: 'database',
    expected: 'the head that was published before tells',
    slow: true,
    async run({ openPlace }) {
      await using place = await openPlace();
      const gateway = await place.start();
      for (const name of ['one', 'two', 'three']) await gateway.admin.expect('POST', '/user-groups', { name });
      const head = await gateway.admin.expect<{ record_id: number }>('GET', '/audit/head');
      await gateway.stop();
      // Ends with 0 for a chain that is whole and goes on from the head, with 1 for another one.
      const verify = async () => {
        const environment = { PATH: process.env['PATH'], ...testSecrets, ...place.environment };
        const parameters = [verifier, '--head', JSON.stringify(head)];
        return promisify(execFile)(process.execPath, parameters, { env: environment }).then(
          () => 0,
          ({ code }: { readonly code: number }) => code,
        );
      };
      const before = await verify();
      await using database = await place.openDatabase();
      await cutAuditLog(database, head.record_id - 1);
      await database[Symbol.asyncDispose]();
      const after = await verify();
      return judge(
        before === 0 && after === 1 ? [] : [`verify-audit ended with ${before} before and ${after} after`],
        'verify-audit says so, and said the contrary before',
      );
    },
  },
];
