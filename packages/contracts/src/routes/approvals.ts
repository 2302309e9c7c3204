import { Type, type Static } from 'typebox';
import { Count, Exact, Id, Nullable, Timestamp, optional } from '../fields.ts';
import { severities } from '../records.ts';
import { createRouteList } from '../route.ts';
import { times } from './alerts.ts';
import { ToolFinding } from './mcp-tools.ts';

export const routes = createRouteList('Approvals');

/** What is held until an admin decides. */
export const approvalKinds = ['tool', 'card', 'skill'] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

export const approvalStatuses = ['pending', 'approved', 'rejected', 'reverted'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

const ApprovalId = Type.String({
  pattern: `^(${approvalKinds.join('|')})-[1-9]\\d{0,8}$`,
  'x-allowed': 'the kind and a number, such as tool-12',
  description: 'The kind and a number, such as tool-12',
});

const Version = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'The `version` of what was looked at; refused when that is not what would be decided about',
});

export const Approval = Exact(
  {
    id: ApprovalId,
    kind: Type.Enum(approvalKinds),
    status: Type.Enum(approvalStatuses, {
      description:
        'reverted: the target took it back, or changed it again. A skill that is quarantined counts as rejected',
    }),
    severity: Type.Enum(severities),
    change_type: Type.String({ description: 'For example description_changed; of a skill new_skill or skill_changed' }),
    name: Nullable(
      Type.String({
        description: 'Of the tool, the agent, or the skill with its version; null: the instructions of a server',
      }),
    ),
    proxy_id: Nullable({ ...Id, description: 'Of a tool' }),
    proxy_name: Nullable(Type.String()),
    agent_id: Nullable({ ...Id, description: 'Of a card' }),
    skill_id: Nullable({ ...Id, description: 'Of a skill' }),
    version: Type.String({ description: 'SHA-256 of what is offered: a decision repeats it' }),
    findings_count: Type.Integer({ minimum: 0, description: 'What the scanner found in what is offered' }),
    detected_at: Timestamp,
    decided_at: Nullable(Timestamp),
    decided_by: Nullable(Type.String()),
    note: Nullable(Type.String()),
  },
  { title: 'Approval' },
);
export type Approval = Static<typeof Approval>;

/** Which approvals are wanted. */
const filters = {
  ...optional({
    status: Type.Enum(approvalStatuses, { default: 'pending' }),
    kind: Type.Enum(approvalKinds),
    severity: Type.Enum(severities),
    proxy: Type.Integer({ ...Id, description: 'Id of a proxy' }),
    search: Type.String({ maxLength: 200, description: 'Part of the name, or of that of the proxy, in any case' }),
  }),
  ...times,
};
const ApprovalFilters = Exact(filters);
export type ApprovalFilters = Static<typeof ApprovalFilters>;

const ApprovalQuery = Exact({
  ...filters,
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
  ...optional({
    cursor: Type.String({ maxLength: 200, description: 'The `next_cursor` of the page before, with the same filters' }),
  }),
});
export type ApprovalQuery = Static<typeof ApprovalQuery>;

const ApprovalCounts = Exact({
  total: Type.Integer({ minimum: 0, description: 'Of all pages' }),
  is_complete: Type.Boolean({ description: 'false: there are more than the 10,000 newest, which are counted' }),
  by_kind: Exact(optional(Object.fromEntries(approvalKinds.map((kind) => [kind, Count])))),
  by_severity: Exact(optional(Object.fromEntries(severities.map((severity) => [severity, Count])))),
  by_proxy: Type.Array(Exact({ proxy_id: Id, proxy_name: Type.String(), count: Count }), {
    description: 'Most first, 100 at most',
  }),
});
export type ApprovalCounts = Static<typeof ApprovalCounts>;

const ApprovalPage = Exact({
  approvals: Type.Array(Approval),
  counts: ApprovalCounts,
  next_cursor: Nullable(
    Type.String({ description: 'The `cursor` that goes on from here; null when this is the last page' }),
  ),
});
export type ApprovalPage = Static<typeof ApprovalPage>;

export const listApprovals = routes.define({
  method: 'GET',
  path: '/approvals',
  role: 'viewer',
  summary:
    'List what waits for a decision: tools of all proxies, skills, and for admins cards of agents; newest first, with counts',
  parts: { query: ApprovalQuery, response: ApprovalPage },
});

const visible = 'Characters that no reader sees stand as ⟨U+200B⟩';

export const ApprovalDifference = Exact(
  {
    path: Type.String({
      description:
        'JSON pointer in the definition of a tool; of a card what changed, such as description_changed; of a skill SKILL.md',
    }),
    change: Type.Enum(['added', 'removed', 'changed']),
    before: Nullable(Type.String({ description: `Null where there was nothing. ${visible}` })),
    after: Nullable(Type.String({ description: `Null where nothing is left. ${visible}` })),
    words: Nullable(
      Type.Unsafe<{ readonly change: 'same' | 'added' | 'removed'; readonly text: string }[]>(
        Type.Array(Exact({ change: Type.Enum(['same', 'added', 'removed']), text: Type.String() })),
      ),
    ),
    invisible_characters: Type.Integer({ minimum: 0, description: 'How many `after` has' }),
    marks: Type.Array(
      Exact({
        start: Type.Integer({ minimum: 0, description: 'In `after`, in UTF-16 units' }),
        end: Count,
        rule_id: Type.String(),
        severity: Type.Enum(severities),
      }),
      { description: 'Where the scanner found something in `after`' },
    ),
  },
  { title: 'ApprovalDifference' },
);
export type ApprovalDifference = Static<typeof ApprovalDifference>;

const Caller = Exact({
  api_key_id: Nullable(Id),
  api_key_name: Nullable(Type.String()),
  user_group_id: Nullable(Id),
  user_group: Nullable(Type.String()),
  calls: Count,
  blocked: Type.Integer({ minimum: 0, description: 'Of those, refused' }),
  last_called_at: Timestamp,
});

export const ApprovalCallers = Exact(
  {
    since: Timestamp,
    calls: Count,
    is_complete: Type.Boolean({ description: 'false: only the latest 100,000 calls were counted' }),
    callers: Type.Array(Caller, { description: 'By calls, most first, 50 at most' }),
    callers_count: Count,
  },
  { title: 'ApprovalCallers' },
);
export type ApprovalCallers = Static<typeof ApprovalCallers>;

const ApprovalDetail = Exact(
  {
    ...Approval.properties,
    similarity: Nullable(Type.Number({ description: 'Of the words of the two descriptions, 0 to 1' })),
    differences: Type.Array(ApprovalDifference, { description: '100 at most' }),
    findings: Type.Array(ToolFinding),
    callers: Type.Unsafe<ApprovalCallers | null>(
      Type.Union([ApprovalCallers, Type.Null()], {
        description: 'Null for a skill: nobody calls one through the gateway',
      }),
    ),
  },
  { title: 'ApprovalDetail' },
);
export type ApprovalDetail = Static<typeof ApprovalDetail>;

const ById = Exact({ id: ApprovalId });

export const getApproval = routes.define({
  method: 'GET',
  path: '/approvals/:id',
  role: 'viewer',
  summary: 'Show what changed word by word, what was found in it, and who called it in the last 7 days',
  parts: { params: ById, response: ApprovalDetail },
  errors: ['not_found'],
});

const Note = Type.String({ maxLength: 2_000 });
const decisionAudit = [
  'mcp.tool.change.approved',
  'mcp.tool.change.rejected',
  'agent.card.change.approved',
  'agent.card.change.rejected',
  'skill.approved',
  'skill.rejected',
] as const;

export const grantApproval = routes.define({
  method: 'POST',
  path: '/approvals/:id/approve',
  role: 'admin',
  summary: 'Approve what was shown: it is taken as good from now on',
  parts: { params: ById, body: Exact({ version: Version, ...optional({ note: Note }) }), response: Approval },
  errors: ['not_found', 'conflict', 'precondition_failed', 'precondition_required', 'bad_request'],
  audit: decisionAudit,
});

export const rejectApproval = routes.define({
  ...grantApproval,
  path: '/approvals/:id/reject',
  summary: 'Refuse what was shown: what was known before stays as it is',
  parts: { params: ById, body: Exact({ version: Version, ...optional({ note: Note }) }), response: Approval },
});

const maxBatch = 200;

const ApprovalBatchBody = Exact({
  decision: Type.Enum(['approve', 'reject']),
  ...optional({
    note: Note,
    approvals: Type.Array(Exact({ id: ApprovalId, version: Version }), {
      minItems: 1,
      maxItems: maxBatch,
      description: 'In place of a filter',
    }),
    filter: Exact(filters, { description: `As in lists; may match ${maxBatch} approvals` }),
    dry_run: Type.Boolean({ description: 'Only counts, and decides nothing' }),
    batch_version: Type.String({
      maxLength: 128,
      description: 'With a filter: what the dry run told. Refused when the filter matches something else by now',
    }),
  }),
});
export type ApprovalBatchBody = Static<typeof ApprovalBatchBody>;

const ApprovalBatchResult = Exact({
  matched: Count,
  decided: Type.Integer({ minimum: 0, description: 'In a dry run: that would be tried' }),
  failed: Count,
  dry_run: Type.Boolean(),
  batch_version: Type.String({ description: 'Names the ids and versions below' }),
  results: Type.Array(
    Exact({
      id: ApprovalId,
      version: Type.String(),
      status: Nullable(Type.Enum(approvalStatuses, { description: 'What it is now; null when it is not known' })),
      error: Nullable(Type.String({ description: 'Why nothing was decided about it' })),
    }),
  ),
});
export type ApprovalBatchResult = Static<typeof ApprovalBatchResult>;

export const decideApprovals = routes.define({
  method: 'POST',
  path: '/approvals/batch',
  role: 'admin',
  summary: 'Approve or reject many, by ids and versions or by a filter after a dry run; each is decided by itself',
  parts: { body: ApprovalBatchBody, response: ApprovalBatchResult },
  errors: ['conflict'],
  audit: decisionAudit,
});
