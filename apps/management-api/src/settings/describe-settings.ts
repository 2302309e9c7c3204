import type { EffectiveSettings, SettingsSchema } from '@portcullis/contracts/routes/settings';
import { secretMask, settingsSections } from '@portcullis/contracts/settings';
import type { Config } from '@portcullis/platform/config/config';
import { options } from '@portcullis/platform/config/options';
import { Secret } from '@portcullis/platform/config/secret';
import { sectionNames } from './setting-store.ts';

/** Every setting as data, from the same definitions that validate it. */
export const describeSettings = (): SettingsSchema => ({
  sections: sectionNames.map((name) => {
    const { description, fields, secrets, restart } = settingsSections[name];
    return {
      name,
      description,
      fields: Object.entries(fields).map(([field, schema]) => {
        const { default: fallback, description: meaning = '', ...rules } = schema as Record<string, unknown>;
        return {
          name: field,
          description: String(meaning),
          schema: rules,
          default: fallback,
          secret: (secrets as readonly string[]).includes(field),
          applies: (restart as readonly string[]).includes(field) ? 'restart' : 'live',
        };
      }),
    };
  }),
});

/** The options of this process' environment; a secret that is set reads as a mask. */
export const describeOptions = (config: Config): EffectiveSettings['options'] =>
  Object.entries(options).map(([name, { description }]) => {
    const value: unknown = config[name as keyof Config];
    const secret = value instanceof Secret;
    return { name, value: secret ? secretMask : (value ?? null), secret, applies: 'restart', description };
  });
