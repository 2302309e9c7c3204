/** A server of MCP as a client of it needs to know it. */
export interface McpTarget {
  /** Always with `http:` or `https:`, for every transport. */
  readonly url: string;
  /** Credentials towards the target. */
  readonly auth?: { readonly header: string; readonly value: string } | undefined;
}
