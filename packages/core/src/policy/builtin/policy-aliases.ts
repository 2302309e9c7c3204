/** Names that clients of other gateways use for policies that we have under another name. */
export const policyAliases: Readonly<Record<string, string>> = {
  'critical-security': 'mcp-critical-security',
  'standard-security': 'mcp-standard-security',
  'advanced-security': 'mcp-advanced-security',
  'advanced-polymorphic-security': 'mcp-advanced-polymorphic-security',
  'encoding-detection-security': 'mcp-encoding-detection-security',
  'content-moderation': 'llm-content-moderation',
  'data-redaction': 'llm-data-redaction',
  'balanced-security': 'llm-balanced-security',
  'monitoring-only': 'llm-monitoring-only',
};
