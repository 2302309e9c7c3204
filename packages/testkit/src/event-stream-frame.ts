import { crc32 } from 'node:zlib';

/** A message of Amazon's event streams with texts for headers: https://smithy.io/2.0/aws/amazon-eventstream.html */
export function renderMessage(headers: Readonly<Record<string, string>>, payload: Buffer): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(Buffer.byteLength(value));
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7]),
        length,
        Buffer.from(value),
      ]);
    }),
  );
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + head.length + payload.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, head, payload]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(message));
  return Buffer.concat([message, sum]);
}

/** An event of a service, as Bedrock sends it. */
export const renderEvent = (kind: string, payload: object): Buffer =>
  renderMessage(
    { ':event-type': kind, ':content-type': 'application/json', ':message-type': 'event' },
    Buffer.from(JSON.stringify({ ...payload, p: 'abcdefgh' })),
  );

/** A model's own event, in base64. */
export const renderChunk = (event: object): Buffer =>
  renderEvent('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') });

export interface ReadEvent {
  /** `exception` for one that ends the stream. */
  readonly message: string;
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Reads events as the clients of AWS do, which take no message whose checksums do not fit. */
export class EventStreamParser {
  #bytes: Buffer = Buffer.alloc(0);

  /** @throws for what is no event stream */
  push(chunk: Uint8Array): readonly ReadEvent[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const events: ReadEvent[] = [];
    while (this.#bytes.length >= 12 && this.#bytes.length >= this.#bytes.readUInt32BE(0)) {
      const length = this.#bytes.readUInt32BE(0);
      events.push(parseMessage(this.#bytes.subarray(0, length)));
      this.#bytes = this.#bytes.subarray(length);
    }
    return events;
  }
}

function parseMessage(bytes: Buffer): ReadEvent {
  const end = bytes.length - 4;
  if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) throw new Error('The prelude has another checksum');
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) throw new Error('The message has another checksum');
  const payloadAt = 12 + bytes.readUInt32BE(4);
  const headers = new Map<string, string>();
  for (let at = 12; at < payloadAt;) {
    const nameEnd = at + 1 + (bytes[at] ?? 0);
    const valueEnd = nameEnd + 3 + bytes.readUInt16BE(nameEnd + 1);
    headers.set(bytes.toString('utf8', at + 1, nameEnd), bytes.toString('utf8', nameEnd + 3, valueEnd));
    at = valueEnd;
  }
  return {
    message: headers.get(':message-type') ?? '',
    kind: headers.get(':event-type') ?? headers.get(':exception-type') ?? '',
    payload: JSON.parse(bytes.toString('utf8', payloadAt, end)) as Record<string, unknown>,
  };
}

export const eventStreamType = 'application/vnd.amazon.eventstream';
