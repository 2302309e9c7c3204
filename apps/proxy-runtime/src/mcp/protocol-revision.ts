import type { IncomingHttpHeaders } from 'node:http';

/** The first revision without sessions and `tasks/result`, in which an unknown method is an error of HTTP, too. */
const statelessRevision = '2026-07-28';

/** Whether a client says that it speaks the revision without sessions, or a later one. */
export const isStateless = ({ 'mcp-protocol-version': version = '' }: IncomingHttpHeaders): boolean =>
  String(version) >= statelessRevision;
