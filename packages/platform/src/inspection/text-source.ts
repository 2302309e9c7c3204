import { trustedRoles as roles, type TrustedRole } from '@portcullis/contracts/proxy-settings';
import type { TextOrigin } from '@portcullis/contracts/policy-file';
import type { JsonPath } from '@portcullis/core/json/visit-strings';
import { originSet, type OriginSet } from '@portcullis/core/policy/origins';
import type { ProxyType } from '@portcullis/contracts/records';

/**
 * Who a text is by. `tools` are the definitions that an application sends along, `server` is what an MCP server says
 * about itself and its tools, `tool` is what a tool answered.
 */
export type TextSource = TrustedRole | 'tool' | 'document' | 'server';

/** Tells who the text at a place of one body is by. */
export type SourceReader = (place: JsonPath) => TextSource;

export const originOf: Readonly<Record<TextSource, TextOrigin>> = {
  system: 'instructions',
  developer: 'instructions',
  context: 'context',
  user: 'user',
  assistant: 'assistant',
  tools: 'tool_definition',
  server: 'tool_definition',
  tool: 'tool_result',
  document: 'document',
};

/** As which origins the rules of a proxy read what a source says. */
export type SourceOrigins = Readonly<Record<TextSource, OriginSet>>;

/** @param trusted the proxy's `trusted_roles`; undefined where it has no such setting */
export function compileTrust(type: ProxyType, trusted: readonly string[] | undefined): SourceOrigins {
  const isTrusted = (role: TrustedRole): boolean => (trusted ?? trustedByDefault(type)).includes(role);
  const own = (source: TextSource, ...more: readonly TextOrigin[]): OriginSet => originSet(originOf[source], ...more);
  const unlessTrusted = (role: TrustedRole): OriginSet => (isTrusted(role) ? own(role) : own(role, 'user'));
  return {
    system: unlessTrusted('system'),
    developer: unlessTrusted('developer'),
    context: unlessTrusted('context'),
    assistant: unlessTrusted('assistant'),
    tools: unlessTrusted('tools'),
    user: isTrusted('user') ? originSet('instructions') : own('user'),
    // Of a server or an agent that no admin trusts, a description is as suspicious as a result.
    server: type === 'mcp' && isTrusted('tools') ? own('server') : own('server', 'tool_result'),
    tool: own('tool'),
    document: own('document'),
  };
}

/** An MCP server or an agent is no part of the application that asks it. */
const trustedByDefault = (type: ProxyType): readonly TrustedRole[] =>
  type === 'llm' ? roles.filter((role) => role !== 'user') : [];
