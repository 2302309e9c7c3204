import {
  secretContext,
  settingsSections,
  settingsSchemas,
  type Settings,
  type SettingsSection,
} from '@portcullis/contracts/settings';
import { Secret } from '../config/secret.ts';
import type { Database } from '../database/database.ts';
import type { Encryption } from '../security/encryption.ts';
import { fitsSchema } from '../validation/fits-schema.ts';

/** A section ready for use. */
export interface OpenSection<Section extends SettingsSection> {
  /** Secret fields are empty here. */
  readonly settings: Settings[Section];
  /** Of a field that is a secret; undefined until an admin has given one. */
  secret(field: keyof Settings[Section] & string): Secret | undefined;
}

/**
 * Reads a section of the settings with its secrets; what was never set has its default.
 * @throws when the database is away, a secret does not decrypt, or the section is not valid
 */
export async function openSection<Section extends SettingsSection>(
  { kysely }: Pick<Database, 'kysely'>,
  encryption: Pick<Encryption, 'decrypt'>,
  section: Section,
): Promise<OpenSection<Section>> {
  const row = await kysely.selectFrom('settings').select('document').where('section', '=', section).executeTakeFirst();
  return openSectionOrThrow(row?.document ?? {}, encryption, section);
}

/** Opens a section as it is stored, with its secrets encrypted. */
export function openSectionOrThrow<Section extends SettingsSection>(
  document: unknown,
  encryption: Pick<Encryption, 'decrypt'>,
  section: Section,
): OpenSection<Section> {
  const { defaults, secrets } = settingsSections[section];
  const stored: Readonly<Record<string, unknown>> = { ...defaults, ...Object(document) };
  const opened = (secrets as readonly string[]).map((field): [string, string] => [
    field,
    decrypt(stored[field], secretContext(section, field), encryption),
  ]);
  if (!fitsSchema(settingsSchemas[section], { ...stored, ...Object.fromEntries(opened) })) {
    throw new Error(`The stored settings ${section} are not valid`);
  }
  const closed = Object.fromEntries(opened.map(([field]) => [field, '']));
  const byField = new Map(opened.filter(([, text]) => text !== '').map(([field, text]) => [field, new Secret(text)]));
  return {
    settings: { ...stored, ...closed } as Settings[Section],
    secret: (field) => byField.get(field),
  };
}

function decrypt(sealed: unknown, context: string, encryption: Pick<Encryption, 'decrypt'>): string {
  if (typeof sealed !== 'string' || sealed === '') return '';
  try {
    return encryption.decrypt(sealed, context);
  } catch (error) {
    throw new Error(`The stored secret ${context} does not decrypt: was ENCRYPTION_KEY changed?`, { cause: error });
  }
}
