/** Characters of the piece before that are told again, so that what stands across a cut is seen whole. */
const overlap = 200;
/** Channels told apart; texts of all others run together. */
const maxChannels = 256;
/** Characters kept of one answer. What is beyond is asked about as too long, never left out in silence. */
const maxCharacters = 2_000_000;

interface Channel {
  /** End of what was taken before. */
  tail: string;
  parts: string[];
}

/** The text of a stream that no provider was asked about yet, by channel. */
export class TextBuffer {
  readonly #channels = new Map<string, Channel>();
  #length = 0;

  /** Characters that were added since they were last taken. */
  get length(): number {
    return this.#length;
  }

  add(name: string, text: string): void {
    if (text === '' || this.#length > maxCharacters) return;
    const known = this.#channels.has(name) || this.#channels.size < maxChannels ? name : '';
    const channel = this.#channels.get(known) ?? { tail: '', parts: [] };
    this.#channels.set(known, channel);
    channel.parts.push(text);
    this.#length += text.length;
  }

  /** A text for each channel that has something new, behind the end of what was taken before. */
  take(): readonly string[] {
    const taken: string[] = [];
    for (const channel of this.#channels.values()) {
      if (channel.parts.length === 0) continue;
      const text = channel.tail + channel.parts.join('');
      channel.parts = [];
      channel.tail = text.slice(-overlap);
      taken.push(text);
    }
    this.#length = 0;
    return taken;
  }
}
