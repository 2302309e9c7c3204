import {
  GeneralSettings,
  RetentionSettings,
  settingsSections,
  type Settings,
  type SettingsSection,
} from '@portcullis/contracts/settings';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import type { Database } from '../database/database.ts';

type Reader = Pick<Database, 'kysely'>;

/** A section without secrets, defaults filled in. @throws when the database is away or what is stored is not valid */
async function loadSection<Section extends SettingsSection>(
  { kysely }: Reader,
  section: Section,
  schema: TSchema,
): Promise<Settings[Section]> {
  const row = await kysely.selectFrom('settings').select('document').where('section', '=', section).executeTakeFirst();
  const stored: unknown = { ...settingsSections[section].defaults, ...Object(row?.document) };
  if (!Check(schema, stored)) throw new Error(`The stored settings ${section} are not valid`);
  return stored as Settings[Section];
}

export const loadGeneralSettings = (reader: Reader) => loadSection(reader, 'general', GeneralSettings);
export const loadRetentionSettings = (reader: Reader) => loadSection(reader, 'retention', RetentionSettings);
