import type * as SdkModule from '@modelcontextprotocol/server';
import type { CallToolResult, McpServer, Tool } from '@modelcontextprotocol/server';
import type { ToolContract } from '@portcullis/contracts/tools/tool-contract';
import { version } from '../process/version.ts';
import { createCallTool, type OnToolFailure } from './call-tool.ts';
import type { McpDefinition } from './mcp-definition.ts';
import type { McpCall } from './mcp-tool.ts';

/** Newest first: a client that asks for another one before 2026 is offered the first of its era. */
export const protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Tools don't change while a version of the gateway runs. */
const toolsHint = { ttlMs: 60_000, cacheScope: 'public' } as const;

export type Sdk = typeof SdkModule;

/** Makes a server of the official SDK, which serves one message. */
export type CreateSdkServer = (call: McpCall) => Promise<McpServer>;

export function createSdkServers(sdk: Sdk, definition: McpDefinition, onFailure: OnToolFailure): CreateSdkServer {
  const { name, title, instructions, tools, extend } = definition;
  const callTool = createCallTool(tools, onFailure);
  const listed = { tools: tools.map(({ contract }) => renderTool(contract)) };

  return async (call) => {
    const server = new sdk.McpServer(
      { name, title, version },
      {
        capabilities: { tools: {} },
        instructions,
        supportedProtocolVersions: [...protocolVersions],
        cacheHints: { 'tools/list': toolsHint, 'server/discover': toolsHint },
      },
    );
    server.server.registerCapabilities({ tools: { listChanged: false } });
    server.server.setRequestHandler('tools/list', () => listed);
    server.server.setRequestHandler('tools/call', async ({ params }): Promise<CallToolResult> => {
      const answer = callTool(params.name, params.arguments, call);
      if (answer !== undefined) return answer;
      const known = tools.map(({ contract }) => contract.name).join(', ');
      throw new sdk.ProtocolError(
        sdk.ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${params.name.slice(0, 100)}. There are ${known}`,
      );
    });
    await extend?.(server, call);
    return server;
  };
}

/** As plain JSON: the schemas carry marks of the library that they were made with. */
const renderTool = ({ name, title, description, input, output, hints }: ToolContract): Tool =>
  JSON.parse(
    JSON.stringify({
      name,
      title,
      description,
      inputSchema: input,
      outputSchema: output,
      annotations: {
        title,
        readOnlyHint: hints.readOnly,
        ...(!hints.readOnly && {
          destructiveHint: hints.destructive ?? false,
          idempotentHint: hints.idempotent ?? false,
        }),
        openWorldHint: false,
      },
    }),
  ) as Tool;
