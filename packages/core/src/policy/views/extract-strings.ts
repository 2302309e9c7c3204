/** In bytes that mean something else, so many in a row rarely look like text by chance. */
const fewestBytes = 24;
/** A byte that no text has ends a stretch, unless as many before it and behind it are text. */
const fewestBetween = 6;

const utf8 = new TextDecoder('utf-8');
const utf16 = { little: new TextDecoder('utf-16le'), big: new TextDecoder('utf-16be') };

/**
 * Finds the texts among bytes that come in pieces: UTF-8, and what of UTF-16 is ASCII. Pictures, sounds and compressed
 * data hold next to none; files that only begin like them do.
 */
export class StringExtractor {
  readonly #narrow = new Utf8Stretch();
  readonly #wide = new WideStretch();

  /** The stretches that end in the next piece. */
  push(bytes: Uint8Array): readonly string[] {
    return [...this.#narrow.push(bytes), ...this.#wide.push(bytes)];
  }

  /** Those that end with the bytes. */
  end(): readonly string[] {
    return [...this.#narrow.end(), ...this.#wide.end()];
  }
}

/** Bytes from the pieces in which a stretch lies. */
class OpenStretch {
  readonly #parts: Uint8Array[] = [];
  #length = 0;
  isOpen = false;

  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (bytes.length > 0) this.#parts.push(bytes);
  }

  /** The stretch, when it is long enough, and nothing is open. */
  close(decoder: TextDecoder, fewest: number): string[] {
    const stretch = this.#length < fewest ? [] : [decoder.decode(Buffer.concat(this.#parts))];
    this.#parts.length = 0;
    this.isOpen = false;
    this.#length = 0;
    return stretch;
  }
}

/** 0: no byte of a text; 1: a character; 2 to 4: begins one of so many bytes; 5: goes on with one. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x09 || byte === 0x0a || byte === 0x0d || (byte >= 0x20 && byte < 0x7f)) return 1;
  if (byte < 0x80 || byte === 0xc0 || byte === 0xc1 || byte > 0xf4) return 0;
  return byte < 0xc0 ? 5 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
});

class Utf8Stretch {
  readonly #open = new OpenStretch();
  /** Bytes that the character at hand still wants. */
  #wanted = 0;
  /** Bytes of text since the last one that is none. */
  #since = 0;

  *push(bytes: Uint8Array): Generator<string, void> {
    let first = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const kind = kinds[bytes[at] as number] as number;
      const goesOn = this.#wanted > 0 ? kind === 5 : kind > 0 && kind < 5;
      if (goesOn) {
        if (!this.#open.isOpen) {
          this.#open.isOpen = true;
          first = at;
        }
        this.#wanted = this.#wanted > 0 ? this.#wanted - 1 : kind - 1;
        this.#since += 1;
        continue;
      }
      this.#wanted = 0;
      if (!this.#open.isOpen) continue;
      if (this.#since < fewestBetween) {
        this.#open.add(bytes.subarray(first, at));
        yield* this.#open.close(utf8, fewestBytes);
      }
      this.#since = 0;
    }
    if (this.#open.isOpen) this.#open.add(bytes.subarray(first));
  }

  *end(): Generator<string, void> {
    if (this.#open.isOpen) yield* this.#open.close(utf8, fewestBytes);
  }
}

/** Every second byte is zero, those in between are text. */
class WideStretch {
  readonly #open = new OpenStretch();
  #before = -1;
  /** Whether the first byte of the stretch is the zero. */
  #isBig = false;

  *push(bytes: Uint8Array): Generator<string, void> {
    let first = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      const before = this.#before;
      this.#before = byte;
      const goesOn = before === 0 ? kinds[byte] === 1 : byte === 0 && before > 0 && kinds[before] === 1;
      if (goesOn && !this.#open.isOpen) {
        this.#open.isOpen = true;
        this.#isBig = byte === 0;
        first = at;
      } else if (!goesOn && this.#open.isOpen) {
        this.#open.add(bytes.subarray(first, at));
        yield* this.#close();
      }
    }
    if (this.#open.isOpen) this.#open.add(bytes.subarray(first));
  }

  *end(): Generator<string, void> {
    if (this.#open.isOpen) yield* this.#close();
  }

  #close(): string[] {
    return this.#open.close(this.#isBig ? utf16.big : utf16.little, 2 * fewestBytes);
  }
}
