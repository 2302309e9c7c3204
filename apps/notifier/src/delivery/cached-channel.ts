import type { ChatChannel } from '@portcullis/platform/chat/chat-channel';

/** How long a change of the settings may take to be in force. */
const maxAgeMs = 1_000;

/**
 * Answers the channel's settings, read again when older than a second. While they cannot be read the
 * last good ones stay in force; rejects only when there never were any.
 */
export function createCachedChannel(load: () => Promise<ChatChannel>, now: () => number = () => performance.now()) {
  let loaded: { readonly channel: ChatChannel; readonly atMs: number } | undefined;
  let loading: Promise<ChatChannel> | undefined;
  let problem: string | undefined;

  const reload = async (): Promise<ChatChannel> => {
    try {
      loaded = { channel: await load(), atMs: now() };
      problem = undefined;
      return loaded.channel;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      if (loaded === undefined) throw error;
      loaded = { ...loaded, atMs: now() };
      return loaded.channel;
    } finally {
      loading = undefined;
    }
  };

  return {
    current(): Promise<ChatChannel> {
      if (loaded !== undefined && now() - loaded.atMs < maxAgeMs) return Promise.resolve(loaded.channel);
      loading ??= reload();
      return loading;
    },
    /** Why the settings could not be read last time. */
    problem: (): string | undefined => problem,
  };
}

export type CachedChannel = ReturnType<typeof createCachedChannel>;
