import { randomUUID } from 'node:crypto';

/** Bytes by the text that stands for them in an answer. */
export type Attachments = ReadonlyMap<string, Uint8Array>;

const prefix = 'attached-bytes:';
/** Nobody else can have written it: the rest is drawn for each. */
export const createMark = (): string => prefix + randomUUID();

const mark = new RegExp(`(${prefix}[0-9a-f-]{36})`);
const markLength = prefix.length + 36;

/** So many bytes are encoded in one go; a multiple of three, so that the pieces of the encoding join. */
const atOnce = 196_608;

/** An answer with the attached bytes in base64 in place of their marks. No more of them is encoded at a time than is sent. */
export async function* fillAttachments(
  answer: AsyncIterable<Uint8Array>,
  attachments: Attachments,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let held = '';
  for await (const piece of answer) {
    const parts = (held + decoder.decode(piece, { stream: true })).split(mark);
    const last = parts.pop() ?? '';
    for (const part of parts) yield* renderPart(part, attachments);
    // The next piece may end a mark that begins here.
    const whole = Math.max(0, last.length - markLength);
    yield last.slice(0, whole);
    held = last.slice(whole);
  }
  yield held + decoder.decode();
}

function* renderPart(part: string, attachments: Attachments): Generator<string, void> {
  const bytes = attachments.get(part);
  if (bytes === undefined) {
    yield part;
    return;
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < buffer.length; at += atOnce) yield buffer.toString('base64', at, at + atOnce);
}
