import type { AuditRecord } from './audit-events.ts';
import type { GuardrailCheckAction, GuardrailType, GuardrailVerdict } from './guardrail-config.ts';

/**
 * What the data plane records. Every record passes the spool before it reaches the database and is
 * inserted at most once, by `event_id` (UUIDv7, made where the event happened).
 * What is usual is left out where it says so: every byte is written, sent and parsed.
 * Times are ISO 8601 UTC; money is integer micro-USD; durations are milliseconds.
 */
export const severities = ['Critical', 'High', 'Medium', 'Low'] as const;
export type Severity = (typeof severities)[number];

export const alertCategories = [
  'Guardrails',
  'Policy Violations',
  'Canary Tokens',
  'MCP Tool Changes',
  'Tool Security',
  'Traffic Analysis',
  'Content Security',
  'Other',
] as const;
export type AlertCategory = (typeof alertCategories)[number];

export const alertStatuses = ['new', 'acknowledged', 'in_progress', 'resolved', 'false_positive'] as const;
export type AlertStatus = (typeof alertStatuses)[number];

export const alertActions = ['Block', 'Redact', 'Monitor', 'Log'] as const;
export type AlertAction = (typeof alertActions)[number];

/** The kinds of traffic. */
export const proxyTypes = ['llm', 'mcp', 'a2a'] as const;
export type ProxyType = (typeof proxyTypes)[number];

/** The kinds that a proxy with a port of its own can have. */
export const listenerTypes = ['llm', 'mcp'] as const satisfies readonly ProxyType[];
export type ListenerType = (typeof listenerTypes)[number];

/** One exchange on a proxy port, however it ended; or several that were refused alike, of which it tells what they have in common. */
export interface RequestLogRecord {
  readonly kind: 'request_log';
  readonly event_id: string;
  readonly timestamp: string;
  readonly request_id: string;
  readonly proxy_id: number;
  readonly method: string;
  readonly path: string;
  readonly status_code: number;
  readonly duration_ms: number;
  /** Bytes of the request body. */
  readonly request_size: number;
  /** Bytes of the response body as sent to the client. */
  readonly response_size: number;
  readonly client_ip: string;
  readonly user_agent: string | null;
  readonly api_key_id: number | null;
  readonly user_group_id: number | null;
  /** Of the gravest finding; absent for none. */
  readonly risk_level?: Severity | 'None' | undefined;
  /** Why the gateway refused or broke off, an `ErrorReason`; absent for a forwarded answer. */
  readonly denied_reason?: string | null | undefined;
  /** The stage that ended the exchange; absent when it ran through. */
  readonly denied_stage?: string | null | undefined;
  /** Ids of the system prompts that went to the target; absent for none. */
  readonly injected_prompts?: readonly number[] | undefined;
  /** Ids of those that were to go and were left out. */
  readonly skipped_prompts?: readonly number[] | undefined;
  /** Ids of the policy exceptions under which findings were not enforced; absent for none. */
  readonly exceptions?: readonly number[] | undefined;
  /** Why the target failed, in the words of the part that noticed; absent when it did not. */
  readonly target_problem?: string | null | undefined;
  /** The user who called with a session or let a client in; absent where a key or no identity counted. */
  readonly user_id?: number | undefined;
  /**
   * How many refused requests this stands for, the latest at `timestamp` with `request_id`, the others within the minute before;
   * absent for one. Durations and sizes are added up. Texts that are not the same for all are empty; addresses of one IPv6 network
   * of 64 bits are that network.
   */
  readonly requests?: number | undefined;
  /** The task of an agent that it belongs to, `<SessionSource>_<keyed digest>`; absent where nothing tells. */
  readonly session_id?: string | undefined;
  /** How long policies looked at the request; absent when it never came to it. */
  readonly inspection_ms?: number | undefined;
  /** From when it left for the target to the beginning of the answer; absent when it did not leave, or none came. */
  readonly target_wait_ms?: number | undefined;
  /** How long policies looked at the answer, all its parts together; absent for none. */
  readonly response_inspection_ms?: number | undefined;
  /** What the gateway changed in the request or its answer; absent for nothing. */
  readonly changes?: RequestChanges | undefined;
}

/** What was changed between a client and its target. What did not happen is left out. */
export interface RequestChanges {
  /** Ids of the rules by which something was redacted or replaced on the way to the target. */
  readonly redacted_in_request?: readonly string[] | undefined;
  /** The same on the way back. */
  readonly redacted_in_answer?: readonly string[] | undefined;
  /** MCP tools that were left out of a list. */
  readonly hidden_tools?: readonly string[] | undefined;
  /** A canary token was put beside the instructions. */
  readonly canary?: true | undefined;
}

/**
 * How the calls of a session are recognised as belonging together, strongest first: by an id that the agent names, the trace that it
 * continues, the session of an MCP server, the context of an A2A agent, or what a conversation begins with.
 */
export const sessionSources = ['agent', 'trace', 'mcp', 'a2a', 'conversation'] as const;
export type SessionSource = (typeof sessionSources)[number];

/** Tokens of one LLM exchange. */
export interface UsageRecord {
  /**
   * `usage_rough` is written with the answer where the tokens are still to be counted, by the lengths of the
   * texts; `usage_counted` takes its place, by the same `event_id`.
   */
  readonly kind: 'usage' | 'usage_rough' | 'usage_counted';
  readonly event_id: string;
  readonly timestamp: string;
  readonly request_id: string;
  readonly proxy_id: number;
  readonly api_key_id: number | null;
  readonly user_group_id: number | null;
  /** Who called with a login; absent where a key or a certificate did. */
  readonly user_id?: number | undefined;
  /** Protocol folder that read the usage, for example `openai-chat`. */
  readonly protocol: string;
  readonly model: string;
  /** All that was read; the next two are parts of it, absent for none. */
  readonly input_tokens: number;
  readonly cached_input_tokens?: number | undefined;
  readonly cache_write_tokens?: number | undefined;
  /** All that was written; the next is a part of it, absent for none. */
  readonly output_tokens: number;
  readonly reasoning_tokens?: number | undefined;
  readonly total_tokens: number;
  readonly cost_micro_usd: number;
  /** What the provider says that it cost, kept beside ours; absent where it says nothing. */
  readonly stated_cost_micro_usd?: number | undefined;
  /** That of the request. */
  readonly session_id?: string | undefined;
  /** False when no price of the model is known: its cost is 0 then. */
  readonly priced: boolean;
  /** True when the provider did not tell everything and the figures are our estimate. */
  readonly estimated: boolean;
}

/** A detection that a person should see. */
export interface AlertRecord {
  readonly kind: 'alert';
  readonly event_id: string;
  readonly timestamp: string;
  readonly request_id: string | null;
  readonly severity: Severity;
  readonly title: string;
  readonly description: string;
  readonly action: AlertAction;
  readonly category: AlertCategory;
  readonly proxy_id: number | null;
  readonly proxy_type: ProxyType | null;
  /** Client address. */
  readonly source: string;
  /** Path on the proxy, or the agent, that was called. */
  readonly target: string;
  readonly rule_id: string;
  readonly policy_name: string;
  readonly user_identity: string | null;
  readonly user_type: 'apikey' | 'user' | null;
  readonly user_group: string | null;
  /** Findings with truncated, masked evidence. Never the body. */
  readonly raw_data: Readonly<Record<string, unknown>>;
}

interface CanaryRecord {
  readonly event_id: string;
  readonly timestamp: string;
  readonly request_id: string;
  readonly proxy_id: number;
  readonly token: string;
  /** `key:7`, or the address of a caller without a key. */
  readonly principal: string;
  /** Stands for the conversation. */
  readonly session: string;
  readonly user_identity: string | null;
  readonly user_group: string | null;
}

/** A canary token went into a conversation. */
export interface CanaryPlantedRecord extends CanaryRecord {
  readonly kind: 'canary_planted';
}

/** Something that looks like a canary token stood in an answer. */
export interface CanarySeenRecord extends CanaryRecord {
  readonly kind: 'canary_seen';
  /** Client address. */
  readonly source: string;
  readonly target: string;
}

/** What one guardrail provider said of one side of an exchange. */
export interface GuardrailCheckRecord {
  readonly kind: 'guardrail_check';
  readonly event_id: string;
  readonly timestamp: string;
  readonly request_id: string;
  readonly provider_id: number;
  readonly provider_name: string;
  readonly provider_type: GuardrailType;
  readonly proxy_id: number;
  readonly user_group_id: number | null;
  readonly api_key_id: number | null;
  readonly direction: 'request' | 'response';
  readonly verdict: GuardrailVerdict;
  readonly action: GuardrailCheckAction;
  readonly categories: readonly string[];
  readonly confidence: number | null;
  readonly latency_ms: number;
  readonly tokens: number | null;
  readonly cached: boolean;
  readonly error: string | null;
  /** Start of the text, masked; null unless the provider's owner wants it. */
  readonly content_preview: string | null;
}

export const toolCallOutcomes = ['answered', 'failed', 'blocked'] as const;

/** One call of an MCP tool that the proxy knows. */
export interface ToolCallRecord {
  readonly kind: 'tool_call';
  readonly event_id: string;
  readonly timestamp: string;
  readonly request_id: string;
  readonly proxy_id: number;
  readonly tool_name: string;
  readonly api_key_id: number | null;
  readonly user_group_id: number | null;
  /** `failed` by the target or on the way, `blocked` before it left. */
  readonly outcome: (typeof toolCallOutcomes)[number];
  readonly duration_ms: number;
}

/** Something about the tools of a target that traffic showed and the configuration does not know. */
export interface ToolObservationRecord {
  readonly kind: 'tool_sighting';
  readonly event_id: string;
  readonly timestamp: string;
  readonly request_id: string;
  readonly proxy_id: number;
  /** A tool that is new or another than it was, the server's instructions, or tools that seem to be gone. */
  readonly subject: 'tool' | 'instructions' | 'missing';
  /** Of the tool, else empty. */
  readonly name: string;
  /** SHA-256, hex, see `hashDefinition` and `hashInstructions`. */
  readonly hash: string;
  /** The tool as the target told it, `{instructions}`, or `{names}`. */
  readonly definition: unknown;
}

/** Who calls agents. */
export const agentCallerTypes = ['apikey', 'user', 'anonymous'] as const;

/** What is asked of an agent. */
export const agentInvocationTypes = [
  'send_message',
  'stream_message',
  'get_task',
  'list_tasks',
  'cancel_task',
  'subscribe_task',
] as const;

/** Where calls of agents come in: the REST API, the hub's own methods, and the standard endpoints of A2A. */
export const agentSurfaces = ['rest', 'hub', 'jsonrpc', 'http+json'] as const;

/** One call of an agent, however it ended. What does not apply is left out. */
export interface AgentInvocationRecord {
  readonly kind: 'agent_invocation';
  readonly event_id: string;
  readonly timestamp: string;
  readonly request_id: string;
  readonly trace_id?: string | undefined;
  readonly agent_id: number;
  readonly agent_name: string;
  readonly user_type: (typeof agentCallerTypes)[number];
  /** Of the API key or the user. */
  readonly user_id?: number | undefined;
  readonly user_identity?: string | undefined;
  readonly user_group_id?: number | undefined;
  readonly invocation_type: (typeof agentInvocationTypes)[number];
  readonly surface: (typeof agentSurfaces)[number];
  readonly caller_version?: string | undefined;
  readonly agent_version?: string | undefined;
  readonly agent_binding?: string | undefined;
  readonly task_id?: string | undefined;
  readonly context_id?: string | undefined;
  readonly task_state?: string | undefined;
  /** As HTTP has it. */
  readonly response_status: number;
  /** An `ErrorReason`; absent for an answer of the agent. */
  readonly error?: string | undefined;
  readonly duration_ms: number;
  readonly first_event_ms?: number | undefined;
  readonly events?: number | undefined;
  readonly request_size: number;
  readonly response_size: number;
  readonly blocked: boolean;
  readonly block_reasons?: readonly string[] | undefined;
  /** Findings with truncated, masked evidence. */
  readonly policy_hits?: readonly object[] | undefined;
  /** Ids of the policy exceptions under which findings were not enforced. */
  readonly exceptions?: readonly number[] | undefined;
  /** From 0 to 100. */
  readonly risk_score: number;
  readonly rate_limit_exceeded: boolean;
  /** Invocations per minute; 0 is none. */
  readonly rate_limit_applied: number;
  readonly source_ip: string;
  readonly user_agent?: string | undefined;
  /** Sanitized and cut to size. */
  readonly request_payload?: unknown;
  readonly response_payload?: unknown;
  /** As in `RequestLogRecord`. */
  readonly session_id?: string | undefined;
}

/** A task of an agent as it was when its caller was told of it, while the database was away. */
export interface AgentTaskRecord {
  readonly kind: 'agent_task';
  readonly event_id: string;
  /** When the task changed. */
  readonly timestamp: string;
  readonly id: string;
  readonly agent_id: number;
  readonly owner: string;
  readonly context_id: string;
  readonly upstream_id?: string | undefined;
  readonly upstream_context_id?: string | undefined;
  readonly state: string;
  readonly ended: boolean;
  readonly task: unknown;
}

/** What was asked and answered, for the trace of a request. Written only while an admin wants traces with content. */
export interface TraceContentRecord {
  readonly kind: 'trace_content';
  /** That of the request log. */
  readonly event_id: string;
  readonly timestamp: string;
  /** `TraceContent` as JSON, sealed under `traceContentContext`. */
  readonly content: string;
}

export type SpoolRecord =
  | RequestLogRecord
  | UsageRecord
  | AlertRecord
  | AuditRecord
  | CanaryPlantedRecord
  | CanarySeenRecord
  | GuardrailCheckRecord
  | ToolCallRecord
  | ToolObservationRecord
  | AgentInvocationRecord
  | AgentTaskRecord
  | TraceContentRecord;
export type SpoolRecordKind = SpoolRecord['kind'];
