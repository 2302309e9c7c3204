import type { Exchange } from '../../exchange/exchange.ts';
import { LongJsonFramer, type LongJsonPart } from '../../framing/long-json-framer.ts';
import type { StreamUnit } from '../../framing/stream-unit.ts';
import type { PassingReader } from './response-reader.ts';
import { TextReader } from './text-reader.ts';

/**
 * JSON that is longer than what is read whole. It is read as text as it passes, but for files in base64, which are read as
 * such; what it says of its usage is kept.
 */
export class LongJsonReader implements PassingReader {
  readonly #exchange: Exchange;
  readonly #framer = new LongJsonFramer();
  readonly #text = new TextReader();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  push(chunk: Buffer): readonly StreamUnit[] {
    return this.#read(this.#framer.push(chunk));
  }

  end(): readonly StreamUnit[] {
    const units = [...this.#read(this.#framer.end()), ...this.#text.end()];
    const { dialect } = this.#exchange;
    const usage = dialect.readUsage(this.#framer.members.read());
    if (usage !== undefined) this.#exchange.usage = usage;
    return units;
  }

  #read(parts: readonly LongJsonPart[]): readonly StreamUnit[] {
    const units: StreamUnit[] = [];
    for (const [index, part] of parts.entries()) {
      if (part.media !== undefined) units.push(fileUnit(part));
      else {
        const isBeforeFile = parts[index + 1]?.media !== undefined;
        const read = [...this.#text.push(part.bytes), ...(isBeforeFile ? this.#text.end() : [])];
        for (const unit of read) this.#sample(unit);
        units.push(...(isBeforeFile ? closeLast(read) : read));
      }
    }
    return units;
  }

  /** For an estimate, where no usage is told. */
  #sample({ content }: StreamUnit): void {
    if (content.kind === 'texts') for (const { text } of content.texts) this.#exchange.streamed.add(text);
  }
}

const fileUnit = ({ bytes, media }: LongJsonPart): StreamUnit => ({
  bytes,
  form: 'text',
  content: {
    kind: 'texts',
    texts: [{ channel: 'file', text: bytes.toString('latin1'), path: [], isKey: false, ...(media && { media }) }],
  },
  terminal: false,
});

/** A file stands between this text and the next one, so that it need not be held until that comes. */
function closeLast(units: readonly StreamUnit[]): readonly StreamUnit[] {
  const last = units.at(-1);
  if (last?.content.kind !== 'texts') return units;
  const texts = last.content.texts.map((text) => ({ ...text, isLast: true as const }));
  return [...units.slice(0, -1), { ...last, content: { kind: 'texts', texts } }];
}
