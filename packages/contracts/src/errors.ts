/**
 * The one catalogue of everything the gateway refuses or fails with. A reason is looked up here
 * for its HTTP status, its wire code and the exact text a client reads; nothing else in the code
 * base spells an error text for a client.
 */
export interface ErrorEntry {
  /** Wire code, sent as `error_code`. */
  readonly code: ErrorCode;
  /** HTTP status. */
  readonly status: number;
  /** Text for the client, sent as `error`. */
  readonly text: string;
  /** Whether sending the same request again later can succeed. */
  readonly retryable: boolean;
}

export type ErrorCode =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'BUDGET_EXCEEDED'
  | 'FORBIDDEN'
  | 'POLICY_VIOLATION'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'GONE'
  | 'PRECONDITION_FAILED'
  | 'PRECONDITION_REQUIRED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'UNPROCESSABLE'
  | 'UPGRADE_REQUIRED'
  | 'RATE_LIMIT_EXCEEDED'
  | 'CLIENT_CLOSED_REQUEST'
  | 'INTERNAL_ERROR'
  | 'API_ERROR'
  | 'BAD_GATEWAY'
  | 'SERVICE_UNAVAILABLE'
  | 'GATEWAY_TIMEOUT'
  | 'INSUFFICIENT_STORAGE';

const entry = (status: number, code: ErrorCode, text: string, retryable = false): ErrorEntry => ({
  code,
  status,
  text,
  retryable,
});

export const errorCatalogue = {
  // The management API
  bad_request: entry(400, 'BAD_REQUEST', 'Invalid request'),
  invalid_json: entry(400, 'BAD_REQUEST', 'The body is not valid JSON'),
  agent_unspoken: entry(422, 'UNPROCESSABLE', 'The agent offers no protocol that the gateway speaks'),
  target_refused: entry(422, 'UNPROCESSABLE', 'The gateway does not connect to this address'),
  unauthorized: entry(401, 'UNAUTHORIZED', 'Authentication required'),
  invalid_token: entry(401, 'UNAUTHORIZED', 'Invalid or expired token'),
  invalid_credentials: entry(401, 'UNAUTHORIZED', 'Invalid username or password'),
  invalid_state: entry(400, 'BAD_REQUEST', 'This sign-in was not started here, took too long, or was used already'),
  sign_in_denied: entry(401, 'UNAUTHORIZED', 'The provider did not sign you in'),
  email_unverified: entry(403, 'FORBIDDEN', 'The provider has not verified your e-mail address'),
  unknown_sign_in_user: entry(
    403,
    'FORBIDDEN',
    'No active user here has the e-mail address that the provider verified',
  ),
  provider_failed: entry(502, 'BAD_GATEWAY', 'The sign-in provider did not answer as it should', true),
  wrong_password: entry(400, 'BAD_REQUEST', 'The current password is not right'),
  password_change_required: entry(403, 'FORBIDDEN', 'Change your password first'),
  csrf_token_invalid: entry(403, 'FORBIDDEN', "The header X-CSRF-Token does not carry this session's token"),
  forbidden: entry(403, 'FORBIDDEN', 'Access denied'),
  not_found: entry(404, 'NOT_FOUND', 'Resource not found'),
  method_not_allowed: entry(405, 'METHOD_NOT_ALLOWED', 'Method not allowed'),
  conflict: entry(409, 'CONFLICT', 'The request conflicts with the current state'),
  gone: entry(410, 'GONE', 'This endpoint is deprecated'),
  precondition_failed: entry(412, 'PRECONDITION_FAILED', 'The record was changed since it was read'),
  precondition_required: entry(428, 'PRECONDITION_REQUIRED', 'The request must say which record it is about'),
  payload_too_large: entry(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than allowed'),
  unsupported_media_type: entry(415, 'UNSUPPORTED_MEDIA_TYPE', 'The content type is not supported'),
  headers_too_large: entry(431, 'BAD_REQUEST', 'The headers are larger than allowed'),
  request_timeout: entry(408, 'BAD_REQUEST', 'The request did not arrive in time', true),
  too_many_requests: entry(429, 'RATE_LIMIT_EXCEEDED', 'Too many requests', true),
  internal_error: entry(500, 'INTERNAL_ERROR', 'Internal error', true),
  unhealthy: entry(500, 'INTERNAL_ERROR', 'The gateway is not healthy', true),
  service_unavailable: entry(503, 'SERVICE_UNAVAILABLE', 'The service is not available right now', true),
  skill_unscannable: entry(422, 'UNPROCESSABLE', 'The skill cannot be scanned'),
  storage_full: entry(507, 'INSUFFICIENT_STORAGE', 'There is no room to store this', true),

  // Proxy traffic, in the order in which the pipeline checks
  key_missing: entry(401, 'UNAUTHORIZED', 'Missing API key'),
  key_unknown: entry(401, 'UNAUTHORIZED', 'Invalid API key: key not found'),
  key_revoked: entry(401, 'UNAUTHORIZED', 'Invalid API key'),
  key_expired: entry(401, 'UNAUTHORIZED', 'API key has expired'),
  certificate_invalid: entry(401, 'UNAUTHORIZED', 'The client certificate is not valid here'),
  certificate_unknown: entry(401, 'UNAUTHORIZED', 'No user group is bound to the client certificate'),
  group_inactive: entry(401, 'UNAUTHORIZED', 'User group is inactive'),
  access_denied: entry(403, 'FORBIDDEN', 'API key does not have access to this proxy'),
  scope_denied: entry(403, 'FORBIDDEN', 'The API key is restricted to other models, tools or agents'),
  ambiguous_json: entry(400, 'BAD_REQUEST', 'The body can be read in more than one way'),
  agent_access_denied: entry(403, 'FORBIDDEN', 'There is no access to this agent'),
  agent_not_active: entry(403, 'FORBIDDEN', 'The agent is not active'),
  agent_loop: entry(400, 'BAD_REQUEST', 'Agents call each other through the gateway in a loop'),
  agent_calls_exceeded: entry(429, 'RATE_LIMIT_EXCEEDED', 'Too many calls of agents are under way', true),
  agent_tasks_exceeded: entry(429, 'RATE_LIMIT_EXCEEDED', 'Too many tasks of agents are open', true),
  // The same to callers: one who learned a task's id is not told that there is such a task
  task_not_found: entry(404, 'NOT_FOUND', 'Task not found'),
  task_not_cancelable: entry(400, 'BAD_REQUEST', 'Task cannot be canceled'),
  message_reused: entry(400, 'BAD_REQUEST', 'Another message had this messageId'),
  message_under_way: entry(409, 'CONFLICT', 'The agent still works on the message with this messageId', true),
  agent_unreachable: entry(502, 'API_ERROR', 'The agent could not be reached', true),
  agent_timeout: entry(504, 'API_ERROR', 'The agent did not answer in time', true),
  agent_failed: entry(502, 'API_ERROR', 'The agent broke off its answer', true),
  agent_invalid_answer: entry(502, 'API_ERROR', 'The agent sent an invalid answer'),
  agent_redirected: entry(502, 'API_ERROR', 'The agent redirects past the gateway'),
  agent_error: entry(502, 'API_ERROR', 'The agent answered with an error'),
  no_sockets: entry(426, 'UPGRADE_REQUIRED', 'WebSockets are not spoken here; send the request over HTTP'),
  origin_denied: entry(403, 'FORBIDDEN', 'This origin does not have access to this proxy'),
  budget_exceeded: entry(402, 'BUDGET_EXCEEDED', 'Budget limit exceeded'),
  model_unpriced: entry(403, 'FORBIDDEN', 'The price of this model is not known'),
  rate_limited: entry(429, 'RATE_LIMIT_EXCEEDED', 'Rate limit exceeded', true),
  proxy_busy: entry(503, 'SERVICE_UNAVAILABLE', 'The proxy is at its limit of concurrent requests', true),
  // On MCP answered as its servers do: a JSON-RPC error in an answer with status 200
  unknown_tool: entry(404, 'NOT_FOUND', 'Unknown tool'),
  // On MCP answered with the JSON-RPC error of servers, too
  unknown_method: entry(404, 'NOT_FOUND', 'Method not found'),
  task_unknown: entry(404, 'NOT_FOUND', 'Task not found'),
  task_foreign: entry(404, 'NOT_FOUND', 'Task not found'),
  // The same to clients: a caller who learned a session's id is not told that there is one
  session_unknown: entry(404, 'NOT_FOUND', 'Session not found'),
  session_foreign: entry(404, 'NOT_FOUND', 'Session not found'),
  state_foreign: entry(403, 'FORBIDDEN', 'The request state was given to another key'),
  header_mismatch: entry(400, 'BAD_REQUEST', 'A header contradicts the message'),
  prompt_without_place: entry(400, 'BAD_REQUEST', 'A system prompt is assigned and the request has no place for it'),
  policy_violation: entry(403, 'POLICY_VIOLATION', 'Request blocked by security policy'),
  unreadable_body: entry(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body cannot be read by the policies of this proxy'),
  // One text for both directions, as specified; records keep the two apart
  policy_violation_response: entry(403, 'POLICY_VIOLATION', 'Request blocked by security policy'),
  target_unreachable: entry(502, 'BAD_GATEWAY', 'The target could not be reached', true),
  circuit_open: entry(502, 'BAD_GATEWAY', 'The target could not be reached', true),
  target_busy: entry(503, 'SERVICE_UNAVAILABLE', 'Too many requests wait for the target', true),
  target_failed: entry(502, 'BAD_GATEWAY', 'The target broke off its answer', true),
  target_redirected: entry(502, 'BAD_GATEWAY', 'The target redirects past the gateway'),
  unreadable_answer: entry(502, 'BAD_GATEWAY', 'The answer cannot be read by the policies of this proxy'),
  target_timeout: entry(504, 'GATEWAY_TIMEOUT', 'The target did not answer in time', true),
  // A proxy that was stopped, or the whole gateway, after the time that exchanges in flight have
  proxy_stopped: entry(503, 'SERVICE_UNAVAILABLE', 'The proxy stopped before the answer was complete', true),
  client_closed: entry(499, 'CLIENT_CLOSED_REQUEST', 'The client closed the connection'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorReason = keyof typeof errorCatalogue;
