import type { Problem } from '@portcullis/contracts/envelope';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';
import { GatewayError } from '../http/gateway-error.ts';
import type { ToolAnswer } from './mcp-tool.ts';

/** The result of `tools/call`: the text for models, the data for programs, and its fields beside both. */
export interface ToolResult {
  readonly [field: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

export const renderAnswer = ({ data, text = JSON.stringify(data, undefined, 2) }: ToolAnswer): ToolResult => ({
  ...data,
  content: [{ type: 'text', text }],
  structuredContent: { ...data },
});

/** A call that failed, so that the model reads why and can call again. Without structured content: it would have to fit the schema. */
export function renderToolError(error: GatewayError): ToolResult {
  const { entry, details } = error;
  const { message, problems = [] } = details;
  const lines = [message === undefined ? entry.text : `${entry.text}: ${message}`, ...problems.map(renderProblem)];
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    isError: true,
    error: { code: entry.code, message: message ?? entry.text, problems },
  };
}

/** What is unexpected is answered as an internal error. */
export const asToolError = (thrown: unknown): GatewayError => {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof DatabaseUnavailable) {
    return new GatewayError('service_unavailable', { message: 'The database is not available', cause: thrown });
  }
  return new GatewayError('internal_error', { cause: thrown });
};

const renderProblem = ({ path, rule }: Problem): string => `${path.replace(/^\//, '').replaceAll('/', '.')} ${rule}`;
