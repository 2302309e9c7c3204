import { randomUUID } from 'node:crypto';
import { createChatBodies } from '../chat-bodies.ts';

interface Chat {
  readonly messages: readonly { readonly content: string }[];
}

const paragraphs = createChatBodies(256, 1_400, false).map(
  (body) => (JSON.parse(body.toString()) as Chat).messages.at(-1)?.content ?? '',
);
let next = 0;

/** Plain English that was not sent before, and the word by which it is told apart. */
export function newText(): { readonly text: string; readonly mark: string } {
  const mark = `mark-${randomUUID().slice(0, 13)}`;
  next += 1;
  return { text: `${paragraphs[next % paragraphs.length]} The number of this letter is ${mark}.`, mark };
}

/** What the answers of all dialects hold as text, out of the events of a stream. */
export function textOfStream(stream: string): string {
  let text = '';
  for (const line of stream.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const event = JSON.parse(line.slice(6)) as StreamEvent;
    const delta = event.delta;
    text +=
      event.choices?.[0]?.delta?.content ??
      event.candidates?.[0]?.content?.parts?.map((part) => part.text ?? '').join('') ??
      (typeof delta === 'string' ? delta : delta?.text) ??
      '';
  }
  return text;
}

interface StreamEvent {
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[];
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly { readonly text?: string }[] } }[];
  readonly delta?: string | { readonly text?: string };
}
