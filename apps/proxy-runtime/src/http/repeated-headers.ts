import type { IncomingHttpHeaders } from 'node:http';

/** Headers of an answer that say how it is read, and of which there can be one. */
const once = ['content-type', 'content-encoding', 'content-length', 'mcp-session-id'] as const;

/**
 * Headers in which each of these stands once. Clients differ in which one they take where there are several: the first
 * one is read here, and is the only one that goes on; all codings count.
 */
export function dropRepeatedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const doubled = once.filter((name) => Array.isArray(headers[name]));
  if (doubled.length === 0) return headers;
  const single = doubled.map((name) => {
    const values: unknown[] = [headers[name]].flat();
    return [name, name === 'content-encoding' ? values.join(', ') : String(values[0])] as const;
  });
  return { ...headers, ...Object.fromEntries(single) };
}
