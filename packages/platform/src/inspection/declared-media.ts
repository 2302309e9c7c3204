import type { JsonPath } from '@portcullis/core/json/visit-strings';
import type { MediaKind } from '@portcullis/core/policy/views/classify-media';
import { property, textProperty } from '@portcullis/core/json/json-value';

/** A file in base64 that a dialect declares. */
export interface DeclaredMedia {
  readonly kind: MediaKind;
  /** Where the base64 begins in the text. */
  readonly from: number;
}

/** Reads what an object says of a file that it holds: its type, or that it is sound. */
type ReadDeclared = (holder: unknown, root: unknown, holderKey: unknown) => MediaKind | undefined;

const soundEvents = new Set(['response.audio.delta', 'response.output_audio.delta']);

/** Anthropic says `media_type`, Gemini and MCP `mimeType`, A2A `mediaType`; OpenAI's sound has a format, or stands in a field of its own. */
const readData: ReadDeclared = (holder, _root, holderKey) => {
  const type =
    textProperty(holder, 'media_type') ??
    textProperty(holder, 'mimeType') ??
    textProperty(holder, 'mime_type') ??
    textProperty(holder, 'mediaType');
  if (type !== undefined) return kindOf(type);
  return holderKey === 'audio' || holderKey === 'input_audio' ? 'samples' : undefined;
};

/** The places of media by the key at their end: in all dialects, since a gateway in front of several meets them mixed. */
const places: ReadonlyMap<string, ReadDeclared> = new Map<string, ReadDeclared>([
  ['data', readData],
  ['blob', readData],
  ['raw', readData],
  ['b64_json', () => 'file'],
  ['partial_image_b64', () => 'file'],
  ['result', (holder) => (textProperty(holder, 'type') === 'image_generation_call' ? 'file' : undefined)],
  ['delta', (_holder, root) => (soundEvents.has(textProperty(root, 'type') ?? '') ? 'samples' : undefined)],
  ['embedding', (holder) => (textProperty(holder, 'object') === 'embedding' ? 'samples' : undefined)],
]);

/** Where an address may be, or the file itself as one. */
const addressKeys = new Set(['url', 'image_url', 'file_data', 'file_url', 'audio_url', 'video_url']);
const dataUrl = /^data:([\w.+-]{1,60}\/[\w.+-]{1,100})(?:;[\w.=+-]{1,60}){0,4};base64,/;
const longestPrefix = 512;

/** Types whose bytes are no text. */
const binaryTypes = /^(?:image\/(?!svg)|audio\/|video\/|application\/(?:pdf|zip|octet-stream|gzip|msword|vnd\.|x-))/i;

const kindOf = (type: string): MediaKind | undefined => {
  if (!binaryTypes.test(type)) return undefined;
  return /^audio\//i.test(type) ? 'samples' : 'file';
};

/**
 * Whether a text stands where a dialect has a file in base64, and is said to be one that is no text. It may be anything all
 * the same: what it is tell its bytes.
 * @param root the value that the path leads through
 */
export function findDeclaredMedia(root: unknown, path: JsonPath, text: string): DeclaredMedia | undefined {
  const key = path.at(-1);
  if (typeof key !== 'string') return undefined;
  if (addressKeys.has(key)) return readAddress(text);
  const read = places.get(key);
  if (read === undefined) return undefined;
  let holder = root;
  for (const step of path.slice(0, -1)) holder = property(holder, String(step));
  const kind = read(holder, root, path.at(-2));
  return kind === undefined ? undefined : { kind, from: 0 };
}

function readAddress(text: string): DeclaredMedia | undefined {
  if (!text.startsWith('data:')) return undefined;
  const [prefix, type] = dataUrl.exec(text.slice(0, longestPrefix)) ?? [];
  const kind = type === undefined ? undefined : kindOf(type);
  return prefix === undefined || kind === undefined ? undefined : { kind, from: prefix.length };
}
