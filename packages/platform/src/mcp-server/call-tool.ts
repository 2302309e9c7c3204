import { objectOf } from '@portcullis/core/json/json-object';
import { compileJsonSchema, type SchemaCheck } from '../validation/compile-schema.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { withSpan } from '../tracing/with-span.ts';
import type { McpCall, McpTool } from './mcp-tool.ts';
import { asToolError, renderAnswer, renderToolError, type ToolResult } from './tool-result.ts';

/** Told of every call that failed. */
export type OnToolFailure = (error: GatewayError, tool: string, call: McpCall) => void;

/** Calls a tool by its name; undefined when there is none. */
export type CallTool = (name: string, given: unknown, call: McpCall) => Promise<ToolResult> | undefined;

export function createCallTool(tools: readonly McpTool[], onFailure: OnToolFailure): CallTool {
  const byName = new Map(
    tools.map((tool) => [tool.contract.name, { tool, check: compileJsonSchema(tool.contract.input, '') }]),
  );
  return (name, given, call) => {
    const known = byName.get(name);
    return known && withSpan(`tool ${name}`, {}, () => run(known.tool, known.check, given, call, onFailure));
  };
}

async function run(
  tool: McpTool,
  check: SchemaCheck,
  given: unknown,
  call: McpCall,
  onFailure: OnToolFailure,
): Promise<ToolResult> {
  try {
    const fields = objectOf(given ?? {});
    const input = fields === undefined ? given : tool.readInput(fields, call);
    const problems = check(input);
    if (problems.length > 0)
      throw new GatewayError('bad_request', { message: `arguments of ${tool.contract.name}`, problems });
    return renderAnswer(await tool.call(input, call));
  } catch (thrown) {
    const error = asToolError(thrown);
    onFailure(error, tool.contract.name, call);
    return renderToolError(error);
  }
}
