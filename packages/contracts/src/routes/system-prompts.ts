import { Type, type Static } from 'typebox';
import { ById, Count, Description, Exact, Id, Name, Nullable, Timestamp, optional } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('System prompts');

export const maxPromptCharacters = 10_000;

const Priority = Type.Integer({ minimum: 0, maximum: 100, default: 0 });

const content = Type.String({
  minLength: 1,
  maxLength: maxPromptCharacters,
  description:
    'Text with the variables {{.User}}, {{.UserEmail}}, {{.UserGroup}}, {{.Date}}, {{.Time}}, {{.Organization}}, {{.ProxyName}}, {{.ProxyID}}',
});

const options = {
  description: Description,
  priority: Priority,
  active: Type.Boolean({ default: true, description: 'An inactive prompt keeps its assignments and is not injected' }),
};

export const SystemPrompt = Exact(
  {
    id: Id,
    name: Name,
    content,
    ...options,
    injection_count: Count,
    skip_count: Count,
    last_injected_at: Nullable(Timestamp),
    template_problems: Type.Array(
      Exact({ line: Count, column: Count, problem: Type.String() }, { title: 'TemplateProblem' }),
      { description: 'Why the prompt will be skipped; empty when its template can be rendered' },
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'SystemPrompt' },
);
export type SystemPrompt = Static<typeof SystemPrompt>;

export const SystemPromptCreation = Exact({ name: Name, content, ...optional(options) });
export type SystemPromptCreation = Static<typeof SystemPromptCreation>;

export const SystemPromptChange = Exact(optional({ name: Name, content, ...options }));
export type SystemPromptChange = Static<typeof SystemPromptChange>;

const prompt = { system_prompt_id: Id, system_prompt_name: Name, active: Type.Boolean() };

export const PromptAssignment = Exact(
  { id: Id, proxy_id: Id, ...prompt, priority: Priority, created_at: Timestamp },
  { title: 'PromptAssignment' },
);
export type PromptAssignment = Static<typeof PromptAssignment>;

export const AccessPrompt = Exact(
  { access_id: Id, user_group_id: Id, user_group_name: Type.String(), ...prompt },
  { title: 'AccessPrompt' },
);
export type AccessPrompt = Static<typeof AccessPrompt>;

export const listSystemPrompts = routes.define({
  method: 'GET',
  path: '/system-prompts',
  role: 'viewer',
  summary: 'List the system prompts',
  parts: { response: Type.Array(SystemPrompt) },
});

export const getSystemPrompt = routes.define({
  method: 'GET',
  path: '/system-prompts/:id',
  role: 'viewer',
  summary: 'Show a system prompt with its counters',
  parts: { params: ById, response: SystemPrompt },
  errors: ['not_found'],
});

export const createSystemPrompt = routes.define({
  method: 'POST',
  path: '/system-prompts',
  role: 'admin',
  summary: 'Create a system prompt; a template that cannot be rendered is stored, and told as template_problems',
  status: 201,
  parts: { body: SystemPromptCreation, response: SystemPrompt },
  errors: ['conflict'],
  audit: 'system_prompt.created',
});

export const updateSystemPrompt = routes.define({
  method: 'PUT',
  path: '/system-prompts/:id',
  role: 'admin',
  summary: 'Change the given fields of a system prompt',
  parts: { params: ById, body: SystemPromptChange, response: SystemPrompt },
  errors: ['not_found', 'conflict'],
  audit: 'system_prompt.updated',
});

export const deleteSystemPrompt = routes.define({
  method: 'DELETE',
  path: '/system-prompts/:id',
  role: 'admin',
  summary: 'Delete a system prompt with all its assignments',
  parts: { params: ById },
  errors: ['not_found'],
  audit: 'system_prompt.deleted',
});

export const assignPromptToProxy = routes.define({
  method: 'POST',
  path: '/system-prompts/:id/assign/proxy/:proxyId',
  role: 'admin',
  summary: 'Assign this system prompt to an LLM proxy, in place of the one it has; a proxy of another type answers 400',
  parts: {
    params: Exact({ id: Id, proxyId: Id }),
    body: Exact(optional({ priority: Priority })),
    response: PromptAssignment,
  },
  bodyOptional: true,
  errors: ['not_found'],
  audit: 'system_prompt.assigned',
});

export const assignPromptToUserGroup = routes.define({
  method: 'POST',
  path: '/system-prompts/:id/assign/user-group/:groupId',
  role: 'admin',
  summary: 'Removed, answers 410: set system_prompt_id of an access entry instead',
  parts: { params: Exact({ id: Id, groupId: Id }) },
  errors: ['gone'],
  audit: { none: 'always refused' },
});

export const removePromptAssignment = routes.define({
  method: 'DELETE',
  path: '/system-prompts/assignments/:assignmentId',
  role: 'admin',
  summary: 'Remove the system prompt from a proxy; the id is that of the assignment',
  parts: { params: Exact({ assignmentId: Id }) },
  errors: ['not_found'],
  audit: 'system_prompt.unassigned',
});

export const listProxyPrompts = routes.define({
  method: 'GET',
  path: '/proxies/:id/system-prompts',
  role: 'viewer',
  summary: 'Show the system prompt of a proxy and those that teams have on it',
  parts: {
    params: ById,
    response: Exact({
      proxy_id: Id,
      proxy_assignments: Type.Array(PromptAssignment, { description: 'At most one' }),
      access_assignments: Type.Array(AccessPrompt),
    }),
  },
  errors: ['not_found'],
});
