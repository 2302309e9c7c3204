import type { IncomingHttpHeaders } from 'node:http';
import { property, textProperty } from '@portcullis/core/json/json-value';

/** Where the reserved fields of a request's `_meta` tell the revision of the protocol. */
const versionField = 'io.modelcontextprotocol/protocolVersion';

/** Methods that name what they are about, and the parameter that names it. */
const namingParameters: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/**
 * Since 2026-07-28 headers repeat what the message says, for those on the way who do not read bodies.
 * Policies here read the body, so a header that says something else would lead a target, or a relay
 * behind us, past them. A header that is missing misleads no server: whether it must be there is for
 * the target to say.
 * @returns name of the first header that contradicts the message
 */
export function findContradiction(headers: IncomingHttpHeaders, message: unknown): string | undefined {
  const [method, name, version] = [headers['mcp-method'], headers['mcp-name'], headers['mcp-protocol-version']];
  if (method === undefined && name === undefined && version === undefined) return undefined;
  if (method !== undefined && method !== textProperty(message, 'method')) return 'Mcp-Method';
  const params = property(message, 'params');
  if (typeof name === 'string' && contradictsName(name, textProperty(message, 'method') ?? '', params)) {
    return 'Mcp-Name';
  }
  const declared = textProperty(property(params, '_meta'), versionField);
  return declared !== undefined && version !== undefined && version !== declared ? 'MCP-Protocol-Version' : undefined;
}

function contradictsName(header: string, method: string, params: unknown): boolean {
  const parameter = namingParameters[method];
  const named = parameter === undefined ? undefined : textProperty(params, parameter);
  return named !== undefined && named !== decodeMirrored(header);
}

const encoded = /^=\?base64\?([A-Za-z\d+/]*={0,2})\?=$/;

/** A value as it stands in the message, undone of the encoding that characters beyond ASCII need in a header. */
export function decodeMirrored(value: string): string {
  const source = encoded.exec(value)?.[1];
  return source === undefined ? value : Buffer.from(source, 'base64').toString('utf8');
}

const plain = /^(?!=\?base64\?)[!-~](?:[ -~]*[!-~])?$/;

/** A value as it may stand in a header. */
export const encodeMirrored = (value: string): string =>
  plain.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
