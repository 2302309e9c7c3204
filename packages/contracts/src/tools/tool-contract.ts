import type { TObject } from 'typebox';

/** A tool of one of the gateway's own MCP servers, as `tools/list` tells it. */
export interface ToolContract<Input extends TObject = TObject, Output extends TObject = TObject> {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For models: what it does and when to call it. */
  readonly description: string;
  readonly input: Input;
  /** Schema of `structuredContent`, whose fields also stand beside `content`. */
  readonly output: Output;
  readonly hints: ToolHints;
}

interface ToolHints {
  /** Whether it leaves everything as it is. */
  readonly readOnly: boolean;
  /** Whether it may take something away. */
  readonly destructive?: boolean;
  /** Whether a second call with the same arguments changes nothing more. */
  readonly idempotent?: boolean;
}

export const defineTool = <const Input extends TObject, const Output extends TObject>(
  tool: ToolContract<Input, Output>,
): ToolContract<Input, Output> => tool;
