import { settingsSections, secretContext, type SettingsSection } from '@portcullis/contracts/settings';
import type { SealKey } from '@portcullis/platform/audit/seal-key';
import type { Database } from '@portcullis/platform/database/database';
import type { Encryption } from '@portcullis/platform/security/encryption';
import {
  agentAuthPlace,
  cardSigningKeyPlace,
  grantAccessTokenPlace,
  grantRefreshTokenPlace,
  guardrailCredentialsPlace,
  guardrailEndpointPlace,
  oauthClientSecretPlace,
  oauthSigningKeyPlace,
  targetAuthPlace,
} from '@portcullis/platform/security/sealed-places';
import { sql } from 'kysely';

/** What a look at everything that is sealed came to. */
export interface Renewal {
  /** Secrets and seals that were looked at. */
  readonly looked: number;
  /** Of them sealed anew, with the present key and in their own place. */
  readonly renewed: number;
  /** Of them opened by no key that is known. */
  readonly unreadable: number;
}

interface Parts {
  readonly database: Database;
  readonly encryption: Encryption;
  readonly sealKey: SealKey;
}

const batchSize = 200;

/**
 * Seals anew what the previous key sealed, or an older version without the id of its row. A row is written only while it is
 * what was read, so any number of processes may do this while others change the same rows. Done in batches; what is
 * broken off goes on where there is still something to do.
 */
export async function renewSecrets(parts: Parts): Promise<Renewal> {
  const tallies: Renewal[] = [];
  for (const column of sealedColumns) tallies.push(await renewColumn(parts, column));
  tallies.push(await renewSettings(parts), await renewSeals(parts));
  return tallies.reduce((sum, { looked, renewed, unreadable }) => ({
    looked: sum.looked + looked,
    renewed: sum.renewed + renewed,
    unreadable: sum.unreadable + unreadable,
  }));
}

class Tally implements Renewal {
  looked = 0;
  renewed = 0;
  unreadable = 0;

  /** What to store in place of what was read; undefined where nothing is to do. */
  renew(render: () => string | undefined): string | undefined {
    this.looked += 1;
    try {
      return render();
    } catch {
      this.unreadable += 1;
      return undefined;
    }
  }
}

/** Tables with a column of secrets, and the place of each. */
const sealedColumns = [
  ['proxies', 'target_auth', targetAuthPlace],
  ['guardrail_providers', 'credentials', guardrailCredentialsPlace],
  ['guardrail_endpoints', 'credentials', guardrailEndpointPlace],
  ['agents', 'target_auth', agentAuthPlace],
  ['card_signing_keys', 'private_key', cardSigningKeyPlace],
  ['oauth_providers', 'client_secret', oauthClientSecretPlace],
  ['oauth_signing_keys', 'private_key', oauthSigningKeyPlace],
  ['oauth_grants', 'access_token', grantAccessTokenPlace],
  ['oauth_grants', 'refresh_token', grantRefreshTokenPlace],
] as const;

async function renewColumn(
  { database: { kysely }, encryption }: Parts,
  [table, column, placeOf]: (typeof sealedColumns)[number],
): Promise<Tally> {
  const tally = new Tally();
  const [from, secret] = [sql.table(table), sql.ref(column)];
  for (let last = 0, more = true; more;) {
    const { rows } = await sql<{ readonly id: number; readonly sealed: string }>`
      select id, ${secret} as sealed from ${from} where ${secret} is not null and id > ${last}
      order by id limit ${batchSize}`.execute(kysely);
    for (const { id, sealed } of rows) {
      last = id;
      const anew = tally.renew(() => encryption.renew(sealed, ...placeOf(id)));
      if (anew === undefined) continue;
      await sql`update ${from} set ${secret} = ${anew} where id = ${id} and ${secret} = ${sealed}`.execute(kysely);
      tally.renewed += 1;
    }
    more = rows.length === batchSize;
  }
  return tally;
}

async function renewSettings({ database: { kysely }, encryption }: Parts): Promise<Tally> {
  const tally = new Tally();
  const rows = await kysely.selectFrom('settings').select(['section', 'document']).execute();
  for (const { section, document } of rows) {
    const secrets: readonly string[] = Object.hasOwn(settingsSections, section)
      ? settingsSections[section as SettingsSection].secrets
      : [];
    for (const field of secrets) {
      const sealed: unknown = Reflect.get(Object(document), field);
      if (typeof sealed !== 'string' || sealed === '') continue;
      const anew = tally.renew(() => encryption.renew(sealed, secretContext(section as SettingsSection, field)));
      if (anew === undefined) continue;
      await sql`
        update settings set document = jsonb_set(document, array[${field}::text], to_jsonb(${anew}::text))
        where section = ${section} and document ->> ${field} = ${sealed}`.execute(kysely);
      tally.renewed += 1;
    }
  }
  return tally;
}

/** Only a seal that is good is signed anew: what was rewritten in between stays as it is, and is found. */
async function renewSeals({ database: { kysely }, sealKey }: Parts): Promise<Tally> {
  const tally = new Tally();
  for (let last = -1, more = true; more;) {
    const rows = await kysely
      .selectFrom('audit_seals')
      .select(['record_id', 'hash', 'seal'])
      .where('record_id', '>', last)
      .orderBy('record_id')
      .limit(batchSize)
      .execute();
    for (const { seal, ...position } of rows) {
      last = position.record_id;
      tally.looked += 1;
      if (sealKey.isPresent(position, seal)) continue;
      if (!sealKey.isValid(position, seal)) {
        tally.unreadable += 1;
        continue;
      }
      await kysely
        .updateTable('audit_seals')
        .set({ seal: sealKey.sign(position) })
        .where('record_id', '=', position.record_id)
        .where('seal', '=', seal)
        .execute();
      tally.renewed += 1;
    }
    more = rows.length === batchSize;
  }
  return tally;
}
