import type { RpcId } from '@portcullis/core/mcp/rpc-message';
import type { ToolBarrier } from './tool-barrier.ts';

/** One call of a tool, and what became of it. */
export interface ToolCall {
  /** Undefined for a call that wants no answer. */
  readonly id: RpcId | undefined;
  /** Undefined when the call names no tool. */
  readonly name: string | undefined;
  /** Why it should not be made. */
  readonly barrier: ToolBarrier | undefined;
  /** It was one too many. */
  limited: boolean;
  /** The target said that it failed. */
  failed: boolean;
}
