/**
 * What a content type says of its bytes: server-sent events, one JSON value, JSON values that follow one another,
 * Amazon's frames of events, some text, a file such as a picture, parts of a form, or nothing that is known here.
 */
export type ContentKind = 'events' | 'frames' | 'json' | 'sequence' | 'text' | 'file' | 'parts' | 'unknown';

const kinds: readonly (readonly [kind: ContentKind, type: RegExp])[] = [
  ['events', /^text\/event-stream$/],
  ['frames', /^application\/vnd\.amazon\.eventstream$/],
  ['sequence', /ndjson|ldjson|jsonl|json-?lines|json-?seq|stream\+json|json-stream/],
  ['json', /json/],
  ['parts', /^multipart\/form-data$/],
  ['text', /^text\/|xml|javascript|ecmascript|yaml|toml|graphql|urlencoded|csv|html/],
  ['file', /^(?:image|audio|video|font|model)\//],
  [
    'file',
    /^application\/(?:octet-stream|pdf|zip|gzip|x-(?:gzip|tar|bzip2?|xz|7z-compressed|zip-compressed)|zstd|wasm)$/,
  ],
  ['file', /^application\/(?:ogg|epub\+zip|msword|rtf|vnd\.(?:openxmlformats-officedocument|oasis|ms-)[\w.-]+)$/],
];

/** Types are few, but clients and targets choose them. */
const maxKnown = 200;
const maxKnownLength = 100;
const known = new Map<string, ContentKind>();

/** @param type value of a Content-Type, with its parameters */
export function contentKindOf(type: string): ContentKind {
  const found = known.get(type);
  if (found !== undefined) return found;
  const essence = type.slice(0, maxKnownLength).split(';')[0]?.trim().toLowerCase() ?? '';
  const kind = kinds.find(([, pattern]) => pattern.test(essence))?.[0] ?? 'unknown';
  if (type.length > maxKnownLength) return kind;
  if (known.size >= maxKnown) known.clear();
  known.set(type, kind);
  return kind;
}
