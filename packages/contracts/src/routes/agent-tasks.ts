import { Type } from 'typebox';
import { ById, Count, Exact, Id, optional } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Agents');

const Text = Type.String();

const Part = Type.Object(
  { kind: Type.Enum(['text', 'file', 'data']) },
  { title: 'AgentPart', description: '`text`, `file` {bytes or uri, name, mime_type} or `data`, by its kind' },
);

export const AgentMessage = Type.Object(
  { messageId: Text, role: Type.Enum(['user', 'agent']), parts: Type.Array(Part) },
  { title: 'AgentMessage' },
);

export const AgentTask = Type.Object(
  {
    id: Type.String({ description: "The gateway's own" }),
    context_id: Text,
    status: Type.Object({
      state: Type.String({ description: 'Such as TASK_STATE_COMPLETED' }),
      ...optional({ message: AgentMessage, timestamp: Text }),
    }),
    artifacts: Type.Array(Type.Object({ artifact_id: Text, parts: Type.Array(Part) })),
    history: Type.Array(AgentMessage),
    metadata: Type.Record(Text, Type.Unknown()),
  },
  { title: 'AgentTask' },
);

const historyLength = Type.Integer({ minimum: 0, maximum: 1_000, description: 'Messages of the history at most' });

const callErrors = ['not_found', 'agent_access_denied', 'service_unavailable'] as const;

const agentErrors = [
  'agent_unreachable',
  'agent_timeout',
  'agent_failed',
  'agent_invalid_answer',
  'agent_error',
] as const;

/** What is in a message is read by the protocol's own reader, which takes the spellings of every generation. */
const SentMessage = Type.Object({}, { description: 'Role and parts; messageId is made where it is absent' });

export const invokeAgent = routes.define({
  method: 'POST',
  path: '/agents/:id/invoke',
  role: 'user',
  acceptsApiKey: true,
  summary: 'Send a message to an agent, and wait for its task or read its events as they come',
  parts: {
    params: ById,
    // Read by the protocol's own reader as well: what it does not know it leaves out.
    body: Type.Object({
      message: SentMessage,
      ...optional({
        streaming: Type.Boolean({ default: false }),
        configuration: Type.Object(
          optional({
            blocking: Type.Boolean({ default: true }),
            return_immediately: Type.Boolean(),
            history_length: historyLength,
            accepted_output_modes: Type.Array(Type.String({ maxLength: 255 }), { maxItems: 64 }),
          }),
        ),
        metadata: Type.Object({}),
      }),
    }),
    response: Exact({ task: AgentTask, ...optional({ message: AgentMessage }) }),
  },
  errors: [
    ...callErrors,
    'agent_not_active',
    'agent_loop',
    'agent_calls_exceeded',
    'agent_tasks_exceeded',
    'rate_limited',
    'message_reused',
    'message_under_way',
    'policy_violation',
    'policy_violation_response',
    ...agentErrors,
  ],
  audit: 'agent.invoked',
});

export const listAgentTasks = routes.define({
  method: 'GET',
  path: '/agents/:id/tasks',
  role: 'user',
  acceptsApiKey: true,
  summary: "List the caller's tasks of an agent, those that changed last first",
  parts: {
    params: ById,
    query: Exact({
      page_size: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
      ...optional({
        context_id: Type.String({ maxLength: 256 }),
        status: Type.String({ maxLength: 64, description: 'A state in any spelling' }),
        page_token: Type.String({ maxLength: 1_024 }),
        history_length: historyLength,
      }),
    }),
    response: Exact({ tasks: Type.Array(AgentTask), next_page_token: Text, page_size: Count, total_size: Count }),
  },
  errors: callErrors,
});

const ByTask = Exact({ id: Id, taskId: Type.String({ minLength: 1, maxLength: 256 }) });

export const getAgentTask = routes.define({
  method: 'GET',
  path: '/agents/:id/tasks/:taskId',
  role: 'user',
  acceptsApiKey: true,
  summary: "Show one of the caller's tasks",
  parts: {
    params: ByTask,
    query: Exact(optional({ history_length: historyLength })),
    response: AgentTask,
  },
  errors: [...callErrors, 'task_not_found'],
});

export const cancelAgentTask = routes.define({
  method: 'POST',
  path: '/agents/:id/tasks/:taskId/cancel',
  role: 'user',
  acceptsApiKey: true,
  summary: "Cancel one of the caller's tasks",
  parts: { params: ByTask, response: AgentTask },
  errors: [...callErrors, 'agent_not_active', 'task_not_found', 'task_not_cancelable', ...agentErrors],
  audit: 'agent.task.cancelled',
});
