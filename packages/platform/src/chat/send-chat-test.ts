import { addressRuleOf } from '../config/config.ts';
import type { Infrastructure } from '../lifecycle/infrastructure.ts';
import { loadChatChannel } from './chat-channel.ts';
import type { ChatMessage } from './chat-message.ts';
import { createChatSender, type ChatOutcome } from './chat-sender.ts';

const testMessage: ChatMessage = {
  text: 'AI Security Alert - Test\nThis is a test message. Alerts of the gateway will arrive here.',
  username: 'Portcullis',
};

/**
 * Sends a test message with the stored settings, whether or not the channel is switched on, and
 * answers what the chat said. Undefined when no webhook is configured.
 * @throws when the settings cannot be read, see `loadChatChannel`
 */
export async function sendChatTest({
  database,
  encryption,
  config,
}: Pick<Infrastructure, 'database' | 'encryption' | 'config'>): Promise<ChatOutcome | undefined> {
  const { webhookUrl, channel } = await loadChatChannel(database, encryption);
  if (webhookUrl === undefined) return undefined;
  await using sender = createChatSender(addressRuleOf(config));
  return await sender.send(webhookUrl, { ...testMessage, ...(channel !== '' && { channel }) });
}
