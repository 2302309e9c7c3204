import { replaceJson } from '@portcullis/core/json/replace-json';
import { textProperty } from '@portcullis/core/json/json-value';
import { NotRewritable } from '@portcullis/platform/inspection/not-rewritable';
import { parseData } from './parse-data.ts';
import { parseFrame, renderFrame, type EventFrame } from './event-frame.ts';

/** What a frame says, as dialects and policies read it. */
export interface FrameSource {
  /** JSON: what a chunk of a model's own stream holds; of any other kind of event `{kind: payload}`. */
  readonly source: string;
  /** What stands beside it; empty where there is nothing but names of the protocol. */
  readonly beside: string;
  /** It holds a model's own event, in base64. */
  readonly isChunk: boolean;
  readonly payload: string;
}

/** Headers whose values the protocol knows, or that name the kind. */
const known: Readonly<Record<string, RegExp>> = {
  ':event-type': /^/,
  ':exception-type': /^/,
  ':content-type': /^application\/json$/,
  ':message-type': /^(?:event|exception|error)$/,
};
/** Letters by which Bedrock hides how long events are. */
const padding = /^[A-Za-z0-9]{0,64}$/;

/** Undefined for a frame whose payload some readers would decode to something else. */
export function readFrameSource({ headers, payload: bytes }: EventFrame): FrameSource | undefined {
  const payload = bytes.length === 0 ? '{}' : bytes.toString('utf8');
  const kind = headers.get(':event-type') ?? headers.get(':exception-type') ?? headers.get(':error-code') ?? '';
  const others = [...headers].filter(([name, value]) => known[name]?.test(value) !== true);
  const beside = others.map((header) => header.join(': '));
  const value = kind === 'chunk' ? parseData(payload) : undefined;
  const held = textProperty(value, 'bytes');
  if (held === undefined) {
    return { source: `{${JSON.stringify(kind)}:${payload}}`, beside: beside.join('\n'), isChunk: false, payload };
  }
  const event = Buffer.from(held, 'base64');
  if (event.toString('base64') !== held) return undefined;
  const { bytes: _held, p, ...rest } = value as Readonly<Record<string, unknown>>;
  const isPadding = p === undefined || (typeof p === 'string' && padding.test(p));
  const more = { ...rest, ...(!isPadding && { p }) };
  if (Object.keys(more).length > 0) beside.push(JSON.stringify(more));
  return { source: event.toString('utf8'), beside: beside.join('\n'), isChunk: true, payload };
}

/**
 * A frame with what `rewrite` makes of its JSON source, and checksums that fit.
 * @throws {NotRewritable}
 */
export function rewriteFrame(bytes: Buffer, rewrite: (source: string) => string): Buffer {
  const frame = parseFrame(bytes);
  const read = frame && readFrameSource(frame);
  if (frame === undefined || read === undefined)
    throw new NotRewritable('A frame that cannot be read is to be rewritten');
  const { source, isChunk, payload } = read;
  const changed = rewrite(source);
  if (!isChunk) {
    const start = source.length - payload.length - 1;
    return renderFrame(frame.headerBytes, Buffer.from(changed.slice(start, -1)));
  }
  const held = replaceJson(payload, ['bytes'], JSON.stringify(Buffer.from(changed).toString('base64')));
  if (held === undefined) throw new NotRewritable('A frame without its bytes is to be rewritten');
  return renderFrame(frame.headerBytes, Buffer.from(held));
}
