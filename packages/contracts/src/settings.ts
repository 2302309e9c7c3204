import { Type, type Static } from 'typebox';
import { Exact, optional } from './fields.ts';
import { alertCategories, severities } from './records.ts';

/**
 * What an admin sets while the gateway runs, one section per row of the table `settings`. Fields
 * that a section's `secrets` name are stored encrypted under `secretContext` and read back as
 * `secretMask`; a mask that comes back on a write means "as it was".
 */
export const secretMask = '********';

/** The encryption context of a secret setting: a value copied elsewhere does not decrypt. */
export const secretContext = (section: SettingsSection, field: string): string => `settings.${section}.${field}`;

/** Alerts to an incoming webhook of a chat. */
const chatWebhook = {
  enabled: Type.Boolean({ default: false }),
  webhook_url: Type.String({
    maxLength: 2_048,
    pattern: '^(https?://\\S+|\\*{8})?$',
    default: '',
    description: 'Secret: reads as a mask once set. Empty: none.',
  }),
  channel: Type.String({ maxLength: 80, default: '', description: "Empty: the webhook's own channel." }),
  minimum_severity: Type.Enum(severities, { default: 'Medium' }),
  categories: Type.Array(Type.Enum(alertCategories), {
    maxItems: alertCategories.length,
    uniqueItems: true,
    default: [...alertCategories],
    description: 'Categories that are delivered.',
  }),
};
export const ChatWebhookSettings = Exact(chatWebhook, { title: 'ChatWebhookSettings' });
export type ChatWebhookSettings = Static<typeof ChatWebhookSettings>;

export const Settings = Exact({ chat_webhook: ChatWebhookSettings }, { title: 'Settings' });
export type Settings = Static<typeof Settings>;
export type SettingsSection = keyof Settings;

/** A write: the sections and fields that change. */
export const SettingsChange = Exact(optional({ chat_webhook: Exact(optional(chatWebhook)) }));
export type SettingsChange = Static<typeof SettingsChange>;

/** What holds until an admin says otherwise, and which fields are secret. */
export const settingsSections: {
  readonly [Section in SettingsSection]: {
    readonly defaults: Settings[Section];
    readonly secrets: readonly (keyof Settings[Section] & string)[];
  };
} = {
  chat_webhook: {
    defaults: {
      enabled: false,
      webhook_url: '',
      channel: '',
      minimum_severity: 'Medium',
      categories: [...alertCategories],
    },
    secrets: ['webhook_url'],
  },
};
