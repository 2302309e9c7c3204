import type { McpServer } from '@modelcontextprotocol/server';
import type { McpCall, McpTool } from './mcp-tool.ts';

/** One of the gateway's own MCP servers. */
export interface McpDefinition {
  /** Its name on the wire. */
  readonly name: string;
  readonly title: string;
  /** What a model is told of the server as a whole. */
  readonly instructions: string;
  readonly tools: readonly McpTool[];
  /** Reads what `extend` needs, before the first message comes. */
  readonly prepare?: () => Promise<unknown>;
  /** What it serves beside tools; called for each message. */
  readonly extend?: (server: McpServer, call: McpCall) => void | Promise<void>;
}
