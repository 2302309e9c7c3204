import { PricingSettings, settingsSections, type Settings, type SettingsSection } from '@portcullis/contracts/settings';
import type { TSchema } from 'typebox';
import { fitsSchema } from '../validation/fits-schema.ts';

/** A section as it is stored, defaults filled in; undefined when it is not valid. */
export function readSection<Section extends SettingsSection>(
  section: Section,
  schema: TSchema,
  document: unknown,
): Settings[Section] | undefined {
  const stored: unknown = { ...settingsSections[section].defaults, ...Object(document) };
  return fitsSchema(schema, stored) ? (stored as Settings[Section]) : undefined;
}

export const readPricingSettings = (document: unknown): PricingSettings | undefined =>
  readSection('pricing', PricingSettings, document);
