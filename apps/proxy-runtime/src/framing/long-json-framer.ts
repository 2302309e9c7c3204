import { hasMediaSignature } from '@portcullis/core/policy/views/media-signatures';
import type { DeclaredMedia } from '@portcullis/platform/inspection/declared-media';
import { ShortMembers } from './short-members.ts';

/** A stretch of JSON as it stood on the wire: a piece of a file in base64, or anything else. */
export interface LongJsonPart {
  readonly bytes: Buffer;
  /** What the piece is said to be; undefined for what is to be read. */
  readonly media: DeclaredMedia | undefined;
}

const [quote, backslash, comma, colon, openBrace] = [0x22, 0x5c, 0x2c, 0x3a, 0x7b];
const openers: ReadonlySet<number> = new Set(Buffer.from('{['));
const closers: ReadonlySet<number> = new Set(Buffer.from('}]'));

/** What is looked at to tell a file from a text, and how long a file is at least. */
const [lookedAt, shortestFile] = [640, 1_024];
/** Pieces of files: whole groups of four digits; so many bytes are left for the last one. */
const [shortestPiece, longestPiece, leftForLast] = [1_024, 65_536, 256];
const longestKey = 64;
const address = /^data:[\w.+-]{1,60}\/[\w.+-]{1,100}(?:;[\w.=+-]{1,60}){0,4};base64,/;
const digits = /^[A-Za-z0-9+/]{64}/;

/**
 * Goes through JSON of any length as it comes, without parsing it: tells files in base64 by their first bytes from what is to be
 * read, and keeps the short members at the top.
 */
export class LongJsonFramer {
  readonly members = new ShortMembers();
  /** Where it stands: between texts, in one, or in a file. */
  #state: 'between' | 'text' | 'file' = 'between';
  #depth = 0;
  #isObject = false;
  #isEscaped = false;
  /** Of the text that is under way, or was last: enough of it to be a key. */
  #text: string[] = [];
  #textLength = 0;
  #media: DeclaredMedia | undefined;
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): readonly LongJsonPart[] {
    return this.#walk(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]), false);
  }

  end(): readonly LongJsonPart[] {
    return this.#walk(this.#rest, true);
  }

  #walk(bytes: Buffer, isLast: boolean): readonly LongJsonPart[] {
    const parts: LongJsonPart[] = [];
    /** Of what is to be read and has not been handed on. */
    let from = 0;
    let at = 0;
    const handOn = (to: number): void => {
      if (to > from) parts.push({ bytes: bytes.subarray(from, to), media: undefined });
      from = to;
    };
    while (at < bytes.length) {
      if (this.#state === 'file') {
        const taken = this.#takeFile(bytes, at, isLast, parts);
        from = at + taken;
        at = from;
        if (this.#state === 'file') break;
      } else if (this.#state === 'text') at = this.#takeText(bytes, at);
      else if (bytes[at] === quote) {
        const begins = this.#lookAt(bytes, at, isLast);
        if (begins === undefined) break;
        at += 1;
        if (begins === 'file') handOn(at);
      } else {
        this.#takeSign(bytes, at);
        at += 1;
      }
    }
    handOn(at);
    this.#rest = bytes.subarray(at);
    return parts;
  }

  /** What the text is that begins at a quote; undefined while there is too little to tell. */
  #lookAt(bytes: Buffer, at: number, isLast: boolean): 'text' | 'file' | undefined {
    const end = bytes.indexOf(quote, at + 1);
    if (end === -1 && bytes.length - at < shortestFile && !isLast) return undefined;
    const isLong = (end === -1 ? bytes.length : end) - at >= shortestFile;
    this.#media = isLong ? this.#readFile(bytes.subarray(at + 1, at + 1 + lookedAt)) : undefined;
    this.#state = this.#media === undefined ? 'text' : 'file';
    [this.#text, this.#textLength, this.#isEscaped] = [[], 0, false];
    this.members.push(bytes.subarray(at, at + 1));
    return this.#state;
  }

  #readFile(bytes: Buffer): DeclaredMedia | undefined {
    const text = bytes.toString('latin1');
    const from = address.exec(text)?.[0].length ?? 0;
    const first = digits.exec(text.slice(from))?.[0];
    if (first === undefined) return undefined;
    if (hasMediaSignature(Buffer.from(first, 'base64'))) return { kind: 'file', from };
    return this.#key() === 'embedding' ? { kind: 'samples', from } : undefined;
  }

  /** @returns how many bytes of the file were taken */
  #takeFile(bytes: Buffer, at: number, isLast: boolean, parts: LongJsonPart[]): number {
    const end = endOfDigits(bytes, at);
    const isOver = end < bytes.length || isLast;
    const before = this.#media?.from ?? 0;
    const whole = Math.floor((end - at - before - leftForLast) / 4) * 4;
    const taken = isOver ? end - at : whole >= shortestPiece ? before + whole : 0;
    for (let start = at; start < at + taken;) {
      const offset = start === at ? before : 0;
      const left = at + taken - start;
      const length = left <= longestPiece + offset + leftForLast ? left : longestPiece + offset;
      parts.push({ bytes: bytes.subarray(start, start + length), media: this.#media });
      this.#media = { kind: 'samples', from: 0 };
      start += length;
    }
    this.members.push(bytes.subarray(at, at + taken));
    if (isOver) this.#state = 'text';
    return taken;
  }

  #takeText(bytes: Buffer, at: number): number {
    let end = at;
    let isOver = false;
    for (; end < bytes.length && !isOver; end += 1) {
      const byte = bytes[end];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else isOver = byte === quote;
    }
    const content = end - at - (isOver ? 1 : 0);
    this.#textLength += content;
    if (this.#textLength <= longestKey) this.#text.push(bytes.toString('utf8', at, at + content));
    this.members.push(bytes.subarray(at, end));
    if (isOver) this.#state = 'between';
    return end;
  }

  #takeSign(bytes: Buffer, at: number): void {
    const byte = bytes[at] as number;
    const isTop = this.#depth === 1 && this.#isObject;
    if (openers.has(byte)) {
      if (this.#depth === 0) this.#isObject = byte === openBrace;
      this.#depth += 1;
    } else if (closers.has(byte)) {
      this.#depth -= 1;
      if (isTop) return this.members.close();
    } else if (isTop && byte === comma) return this.members.close();
    else if (isTop && byte === colon) return this.members.open(this.#key());
    this.members.push(bytes.subarray(at, at + 1));
  }

  #key(): string {
    return this.#textLength <= longestKey ? this.#text.join('') : '';
  }
}

/** Where the digits of base64 end at the latest. */
function endOfDigits(bytes: Buffer, at: number): number {
  const closing = bytes.indexOf(quote, at);
  const end = closing === -1 ? bytes.length : closing;
  const escaped = bytes.subarray(at, end).indexOf(backslash);
  return escaped === -1 ? end : at + escaped;
}
