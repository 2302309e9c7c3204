import type { TargetAuth } from '@portcullis/contracts/routes/proxies';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import { addressRuleOf } from '@portcullis/platform/config/config';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { targetAuthPlace } from '@portcullis/platform/security/sealed-places';
import { listTargetTools } from '@portcullis/platform/mcp/list-target-tools';
import type { ProxyRow } from '../proxies/proxy-queries.ts';
import { scanInstructions, scanTool, type ScannedInstructions, type ScannedTool } from './scanned-tools.ts';
import type { ScanDefinition } from '@portcullis/platform/policies/definition-scanner';

const failureReasons = {
  unreachable: 'target_unreachable',
  timeout: 'target_timeout',
  failed: 'target_failed',
} as const;

/** A key without a header goes where MCP servers have it. */
function readAuth({ id, target_auth: sealed }: ProxyRow, encryption: Infrastructure['encryption']) {
  if (sealed === null) return undefined;
  const { header, value } = JSON.parse(encryption.decrypt(sealed, ...targetAuthPlace(id))) as TargetAuth;
  return header === undefined ? { header: 'authorization', value: `Bearer ${value}` } : { header, value };
}

interface TargetTools {
  readonly tools: readonly ScannedTool[];
  readonly instructions: ScannedInstructions;
}

/** Asks the target of an MCP proxy for all its tools. @throws {GatewayError} when it does not answer as MCP servers do */
export async function loadTargetToolsOrThrow(
  proxy: ProxyRow,
  scan: ScanDefinition,
  { config, encryption }: Pick<Infrastructure, 'config' | 'encryption'>,
): Promise<TargetTools> {
  const auth = readAuth(proxy, encryption);
  const listing = await listTargetTools(
    { url: proxy.target, transport: proxy.transport, auth },
    { ...addressRuleOf(config), connectTimeoutMs: config.TARGET_CONNECT_TIMEOUT },
  );
  if (listing.kind !== 'listed') throw new GatewayError(failureReasons[listing.kind], { message: listing.reason });
  try {
    return {
      tools: listing.tools.map((tool) => scanTool(tool.name, tool, scan)),
      instructions: scanInstructions(listing.instructions, scan),
    };
  } catch (error) {
    if (error instanceof NestedTooDeep)
      throw new GatewayError('target_failed', { message: 'A tool is nested too deep' });
    throw error;
  }
}
