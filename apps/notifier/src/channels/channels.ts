import type { ChannelName, channelSections } from '@portcullis/contracts/channels';
import type { Channel } from './channel.ts';
import { chatChannel } from './chat/chat-channel.ts';

/** All ways out, a row each. */
export const channels: { readonly [Name in ChannelName]: Channel<(typeof channelSections)[Name]> } = {
  chat: chatChannel,
};
