/** One event of a stream of server-sent events. */
export interface TextEvent {
  /** `message` unless the stream says otherwise. */
  readonly name: string;
  readonly data: string;
}

const eventEnd = /\r?\n\r?\n/;
/** Characters of an end of an event that may still be at the end of a chunk. */
const maxSplitEnd = 3;

/** Takes a stream of events apart, however it is chunked. The caller bounds what comes. */
export class EventSplitter {
  #parts: string[] = [];

  /** @returns the events that are whole now */
  push(text: string): readonly TextEvent[] {
    const last = this.#parts.at(-1) ?? '';
    this.#parts.push(text);
    // One long event is not to be searched again with every chunk of it.
    if (!eventEnd.test(last.slice(-maxSplitEnd) + text)) return [];
    const blocks = this.#parts.join('').split(eventEnd);
    this.#parts = [blocks.pop() ?? ''];
    return blocks.map(readEvent);
  }

  /** What follows the last whole event, for a stream that ended without the end of its last one. */
  end(): TextEvent {
    return readEvent(this.#parts.join(''));
  }
}

function readEvent(block: string): TextEvent {
  const lines = block.split(/\r?\n/);
  const fields = (name: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart());
  return { name: fields('event').at(-1) ?? 'message', data: fields('data').join('\n') };
}
