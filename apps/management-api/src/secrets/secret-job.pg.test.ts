import { expect, test, describe } from '@jest/globals';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { sealChain } from '@portcullis/platform/audit/seal-chain';
import { createSealKey } from '@portcullis/platform/audit/seal-key';
import { verifyChain } from '@portcullis/platform/audit/verify-chain';
import { Secret } from '@portcullis/platform/config/secret';
import type { Logger } from '@portcullis/platform/log/logger';
import { createEncryption } from '@portcullis/platform/security/encryption';
import {
  agentAuthPlace,
  guardrailCredentialsPlace,
  targetAuthPlace,
} from '@portcullis/platform/security/sealed-places';
import { stores, openTestDatabase } from '@portcullis/platform/test/test-database';
import { waitFor } from '@portcullis/testkit/wait-for';
import { renewSecrets } from './renew-secrets.ts';
import { startSecretJob } from './secret-job.ts';

const [oldKey, newKey] = ['o'.repeat(32), 'n'.repeat(32)];
const [oldSecret, newSecret] = [new Secret(oldKey), new Secret(newKey)];
const before = createEncryption(oldKey);
const after = createEncryption(newKey);
const proxyCount = 250;

describe.each(stores)('a change of ENCRYPTION_KEY (%s)', (kind) => {
  test('seals everything anew, in batches and by several processes at once, and tells when the old key can go', async () => {
    await using database = await openTestDatabase(kind);
    const { kysely } = database;
    const proxies = await kysely
      .insertInto('proxies')
      .values(
        Array.from({ length: proxyCount }, (_, number) => ({
          name: `proxy ${number}`,
          type: 'llm',
          target: 'https://target.example',
          port: 20_000 + number,
          // As older versions sealed it: with nothing of its row.
          target_auth: before.encrypt(`{"value":"target ${number}"}`, 'proxies.target_auth'),
        })),
      )
      .returning(['id', 'name'])
      .execute();
    const provider = await kysely
      .insertInto('guardrail_providers')
      .values({ name: 'judge', provider_type: 'lakera', config: '{}' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const credentials = before.encrypt('{"api_key":"k"}', ...firstOf(guardrailCredentialsPlace(provider.id)));
    await kysely.updateTable('guardrail_providers').set({ credentials }).execute();
    const card = { card: '{}', card_source: '{}', card_hash: '', card_written_in: '1.0', card_read_at: new Date() };
    const agent = await kysely
      .insertInto('agents')
      .values({ name: 'maps', ...card })
      .returning('id')
      .executeTakeFirstOrThrow();
    const agentAuth = before.encrypt('{"value":"maps"}', agentAuthPlace(agent.id)[0]);
    await kysely.updateTable('agents').set({ target_auth: agentAuth }).execute();
    const webhook = before.encrypt('https://chat.example', 'settings.chat_webhook.webhook_url');
    await kysely
      .insertInto('settings')
      .values({ section: 'chat_webhook', document: JSON.stringify({ enabled: true, webhook_url: webhook }) })
      .onConflict((conflict) =>
        conflict.column('section').doUpdateSet({ document: JSON.stringify({ enabled: true, webhook_url: webhook }) }),
      )
      .execute();
    const actor = { type: 'system', id: null, name: null } as const;
    for (const _ of [1, 2]) {
      await recordAudit(kysely, { event_type: 'email_sent', actor });
      await sealChain(database, createSealKey(oldSecret));
    }

    const parts = {
      database,
      encryption: createEncryption(newKey, oldKey),
      sealKey: createSealKey(newSecret, oldSecret),
    };
    const [one, other] = await Promise.all([renewSecrets(parts), renewSecrets(parts)]);
    expect([one.unreadable, other.unreadable]).toEqual([0, 0]);
    expect(await renewSecrets(parts)).toEqual({ looked: proxyCount + 5, renewed: 0, unreadable: 0 });

    const rows = await kysely.selectFrom('proxies').select(['id', 'name', 'target_auth']).orderBy('id').execute();
    expect(rows).toHaveLength(proxies.length);
    for (const { id, name, target_auth: sealed } of rows) {
      const [context] = targetAuthPlace(id);
      expect(after.decrypt(sealed ?? '', context)).toBe(`{"value":"${name.replace('proxy', 'target')}"}`);
    }
    const [first, second] = rows;
    const [contextOfSecond] = targetAuthPlace(second?.id ?? 0);
    expect(() => after.decrypt(first?.target_auth ?? '', contextOfSecond)).toThrow(/authenticate/);
    const maps = await kysely.selectFrom('agents').select('target_auth').executeTakeFirstOrThrow();
    expect(after.decrypt(maps.target_auth ?? '', agentAuthPlace(agent.id)[0])).toBe('{"value":"maps"}');
    const judge = await kysely.selectFrom('guardrail_providers').select('credentials').executeTakeFirstOrThrow();
    expect(after.decrypt(judge.credentials ?? '', guardrailCredentialsPlace(provider.id)[0])).toBe('{"api_key":"k"}');
    const { document } = await kysely
      .selectFrom('settings')
      .select('document')
      .where('section', '=', 'chat_webhook')
      .executeTakeFirstOrThrow();
    const stored = document as unknown as { enabled: boolean; webhook_url: string };
    expect(stored.enabled).toBe(true);
    expect(after.decrypt(stored.webhook_url, 'settings.chat_webhook.webhook_url')).toBe('https://chat.example');
    expect(await verifyChain(database, createSealKey(newSecret))).toMatchObject({ valid: true, sealed_id: 2 });
  });

  test('tells the log how much there was, what no key opens, and when the previous ones can go', async () => {
    await using database = await openTestDatabase(kind);
    const { kysely } = database;
    const insert = (name: string, port: number, sealed: string) =>
      kysely
        .insertInto('proxies')
        .values({ name, type: 'llm', target: 'https://target.example', port, target_auth: sealed })
        .execute();
    await insert('one', 20_001, before.encrypt('{}', 'proxies.target_auth'));
    await insert('lost', 20_002, createEncryption('x'.repeat(32)).encrypt('{}', 'proxies.target_auth'));
    const lines: (readonly [string, unknown])[] = [];
    const note = (text: string, facts?: unknown) => void lines.push([text, facts]);
    const log = { info: note, warn: note, error: note } as unknown as Logger;
    const parts = {
      database,
      log,
      encryption: createEncryption(newKey, oldKey),
      sealKey: createSealKey(newSecret, oldSecret),
      config: {
        ENCRYPTION_KEY_PREVIOUS: oldSecret,
        JWT_SECRET_PREVIOUS: oldSecret,
        JWT_EXPIRY: 1_000,
        JWT_REFRESH_EXPIRY: 60_000,
      },
      intervalMs: 20,
    };
    await using _job = startSecretJob(parts);
    const texts = () => lines.map(([text]) => text).join('\n');
    await waitFor(() => texts().includes('a key that is not known'), { what: 'the secret that is lost' });
    expect(lines).toContainEqual([
      'Stored secrets were sealed anew with ENCRYPTION_KEY',
      { looked: 2, renewed: 1, unreadable: 1 },
    ]);
    expect(texts()).not.toContain('can be removed once');
    expect(texts()).toContain('Tokens of JWT_SECRET_PREVIOUS are taken until they end');
    await kysely.deleteFrom('proxies').where('name', '=', 'lost').execute();
    await waitFor(() => texts().includes('ENCRYPTION_KEY_PREVIOUS can be removed'), { what: 'the end of the change' });
    expect(JSON.stringify(lines)).not.toContain(oldKey);
  });
});

const firstOf = ([context]: readonly [string, string?]): [string] => [context];
