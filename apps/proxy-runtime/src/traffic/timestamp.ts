const millisecondsOfSecond = Array.from({ length: 1_000 }, (_, ms) => `${String(ms).padStart(3, '0')}Z`);

let second = Number.NaN;
let beginning = '';

/** ISO 8601 UTC with milliseconds, as `toISOString` writes it, which takes half a microsecond; all but its end is the same for a second. */
export function renderTimestamp(atMs: number): string {
  const now = Math.floor(atMs / 1_000);
  if (now !== second) {
    second = now;
    beginning = new Date(now * 1_000).toISOString().slice(0, -4);
  }
  return beginning + (millisecondsOfSecond[atMs - now * 1_000] as string);
}
