const marker = '"id":"chatcmpl-';
const stampDigits = 16;

/** A streamed chunk whose id is the moment it was written, so that its receiver knows its delay. */
export const renderChatChunk = (writtenMicros: number, text: string): string =>
  `data: {${marker}${String(Math.round(writtenMicros)).padStart(stampDigits, '0')}",` +
  '"object":"chat.completion.chunk","created":1760000000,"model":"gpt-4o-mini",' +
  `"choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}},"finish_reason":null}]}\n\n`;

/** Finds the stamps in a stream of bytes, however it is split. */
export function createStampReader(onStamp: (writtenMicros: number) => void): (part: Buffer) => void {
  let rest = '';
  return (part) => {
    const text = rest + part.toString('latin1');
    let from = 0;
    for (;;) {
      const at = text.indexOf(marker, from);
      const end = at + marker.length + stampDigits;
      if (at === -1 || end > text.length) {
        rest = text.slice(at === -1 ? Math.max(from, text.length - marker.length + 1) : at);
        return;
      }
      onStamp(Number(text.slice(at + marker.length, end)));
      from = end;
    }
  };
}
