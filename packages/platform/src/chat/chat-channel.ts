import { ChatWebhookSettings, secretContext, settingsSections } from '@portcullis/contracts/settings';
import { Check } from 'typebox/value';
import { Secret } from '../config/secret.ts';
import type { Database } from '../database/database.ts';
import type { Encryption } from '../security/encryption.ts';

/** The settings of the chat webhook, ready for use. */
export interface ChatChannel extends Omit<ChatWebhookSettings, 'webhook_url'> {
  /** Absent until an admin has given one. */
  readonly webhookUrl: Secret | undefined;
}

const section = 'chat_webhook';

/**
 * Reads the settings of the chat webhook; what was never set has its default.
 * @throws when the database is away, the webhook URL does not decrypt, or the section is not valid
 */
export async function loadChatChannel(
  { kysely }: Pick<Database, 'kysely'>,
  encryption: Pick<Encryption, 'decrypt'>,
): Promise<ChatChannel> {
  const row = await kysely.selectFrom('settings').select('document').where('section', '=', section).executeTakeFirst();
  return parseChatChannelOrThrow(row?.document ?? {}, encryption);
}

/** Reads the section as it is stored, with its URL encrypted. */
export function parseChatChannelOrThrow(document: unknown, encryption: Pick<Encryption, 'decrypt'>): ChatChannel {
  const stored: Readonly<Record<string, unknown>> = { ...settingsSections[section].defaults, ...Object(document) };
  const opened = { ...stored, webhook_url: decryptUrl(stored['webhook_url'], encryption) };
  if (!Check(ChatWebhookSettings, opened)) throw new Error(`The stored settings ${section} are not valid`);

  const { webhook_url: url, ...rest } = opened;
  return { ...rest, webhookUrl: url === '' ? undefined : new Secret(url) };
}

function decryptUrl(sealed: unknown, encryption: Pick<Encryption, 'decrypt'>): string {
  if (typeof sealed !== 'string' || sealed === '') return '';
  try {
    return encryption.decrypt(sealed, secretContext(section, 'webhook_url'));
  } catch (error) {
    throw new Error('The stored webhook URL does not decrypt: was ENCRYPTION_KEY changed?', { cause: error });
  }
}
