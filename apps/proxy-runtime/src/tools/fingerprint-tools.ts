import { hash } from 'node:crypto';
import type { NameScope } from '@portcullis/core/identity/name-scope';
import type { ToolPermissions } from '@portcullis/core/mcp/tool-permissions';
import type { ProxyTools } from '../snapshot/proxy-tools.ts';

/** For callers whose permissions say nothing of tools. */
const anybody = {};
const known = new WeakMap<ProxyTools, WeakMap<object, string>>();

/**
 * Two of these differ when a caller sees other tools, or others' definitions. Kept with the snapshot that they
 * were computed from: a thousand streams of one team ask for one.
 */
export function fingerprintTools(
  tools: ProxyTools | undefined,
  permissions: ToolPermissions | undefined,
  scope: NameScope | undefined,
): string {
  const own = scope === undefined ? '' : scope.names.join('\n');
  if (tools?.filtering !== 'enforce') return own;
  const byCaller = known.get(tools) ?? new WeakMap<object, string>();
  known.set(tools, byCaller);
  const caller = permissions ?? anybody;
  const fingerprint = byCaller.get(caller) ?? compute(tools, permissions);
  byCaller.set(caller, fingerprint);
  return scope === undefined ? fingerprint : `${fingerprint}\n${own}`;
}

function compute({ byName, holdsChanges }: ProxyTools, permissions: ToolPermissions | undefined): string {
  const visible = [...byName].filter(
    ([name, { enabled, held }]) => enabled && !(holdsChanges && held) && permissions?.allows(name) !== false,
  );
  // The rows of a table have no order of their own.
  const lines = visible.map(([name, { hash: definition }]) => `${definition} ${name}`).toSorted();
  return hash('sha256', lines.join('\n'), 'base64url');
}
