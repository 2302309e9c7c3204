import {
  secretContext,
  secretMask,
  settingsSections,
  type Settings,
  type SettingsChange,
  type SettingsSection,
} from '@portcullis/contracts/settings';
import type { Queryable } from '@portcullis/platform/database/database';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { loadSections, saveSection } from './setting-queries.ts';

type Fields = Readonly<Record<string, unknown>>;

export const sectionNames = Object.keys(settingsSections) as SettingsSection[];

/** Every section with its defaults filled in, secrets as masks. */
export async function loadSettings(database: Queryable): Promise<Settings> {
  const stored = await loadSections(database);
  const sections = Object.entries(settingsSections).map(([section, { defaults, secrets }]): [string, Fields] => {
    const fields: Fields = { ...defaults, ...stored.get(section) };
    const masked = (secrets as readonly string[])
      .filter((field) => fields[field] !== '')
      .map((field): [string, string] => [field, secretMask]);
    return [section, { ...fields, ...Object.fromEntries(masked) }];
  });
  // What was stored had passed the same schema.
  return Object.fromEntries(sections) as Settings;
}

/** Saves the given fields of the given sections. Within a transaction, so that all are saved or none. */
export async function saveSettings(database: Queryable, change: SettingsChange, encryption: Encryption): Promise<void> {
  for (const section of sectionNames) {
    const fields = change[section];
    if (fields !== undefined) await saveSection(database, section, sealSecrets(section, fields, encryption));
  }
}

/** Encrypts the secrets among the fields; a mask means "as it was" and is left out. */
function sealSecrets(section: SettingsSection, fields: Fields, encryption: Encryption): Fields {
  const secrets: readonly string[] = settingsSections[section].secrets;
  const seal = ([field, value]: [string, unknown]): [string, unknown] =>
    secrets.includes(field) && value !== ''
      ? [field, encryption.encrypt(String(value), secretContext(section, field))]
      : [field, value];
  const kept = Object.entries(fields).filter(([field, value]) => !secrets.includes(field) || value !== secretMask);
  return Object.fromEntries(kept.map(seal));
}

/** A section's own name wins over its synonym, field by field. */
export const resolveSynonyms = ({ slack, ...own }: SettingsChange): Omit<SettingsChange, 'slack'> =>
  slack === undefined ? own : { ...own, chat_webhook: { ...slack, ...own.chat_webhook } };

export interface SettingDifference {
  readonly section: SettingsSection;
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The fields that would get another value. A secret that comes as a mask stays. */
export const compareSettings = (now: Settings, wanted: SettingsChange): SettingDifference[] =>
  sectionNames.flatMap((section) => {
    const current: Fields = now[section];
    const secrets: readonly string[] = settingsSections[section].secrets;
    return Object.entries(wanted[section] ?? {}).flatMap(([field, value]): SettingDifference[] => {
      const from = current[field];
      if (JSON.stringify(from) === JSON.stringify(value) || (secrets.includes(field) && value === secretMask))
        return [];
      const hidden = secrets.includes(field) && value !== '' ? secretMask : value;
      return [{ section, field, from, to: hidden }];
    });
  });
