import type { McpTarget } from './mcp-target.ts';

/** What every request to a target carries, its credentials included. */
export const renderHeaders = ({ auth }: Pick<McpTarget, 'auth'>): Record<string, string> => ({
  'user-agent': 'portcullis',
  ...(auth !== undefined && { [auth.header.toLowerCase()]: auth.value }),
});
