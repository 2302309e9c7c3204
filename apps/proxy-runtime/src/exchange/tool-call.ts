import type { RpcId } from '@portcullis/core/mcp/rpc-message';

/**
 * Why a tool is not open to a caller: the target never offered it, its switch is off, it changed and
 * waits for an admin, or the caller's user group or its key may not use it.
 */
export type ToolBarrier = 'not-discovered' | 'tool-config' | 'tool-change' | 'group-permission' | 'key-scope';

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
