-- System prompts -------------------------------------------------------------------------------

create table system_prompts (
  id integer generated always as identity primary key,
  name text not null unique,
  description text not null default '',
  content text not null check (char_length(content) <= 10000),
  priority integer not null default 0 check (priority between 0 and 100),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Apart from system_prompts, since every batch of traffic writes it and no snapshot depends on it.
create table system_prompt_usage (
  system_prompt_id integer primary key references system_prompts on delete cascade,
  injection_count bigint not null default 0,
  skip_count bigint not null default 0,
  last_injected_at timestamptz
);

-- The one prompt that a proxy gives to everybody's requests; a team's own stands in proxy_access.
create table proxy_system_prompts (
  id integer generated always as identity primary key,
  proxy_id integer not null unique references proxies on delete cascade,
  system_prompt_id integer not null references system_prompts on delete cascade,
  priority integer not null check (priority between 0 and 100),
  created_at timestamptz not null default now()
);
create index proxy_system_prompts_by_prompt on proxy_system_prompts (system_prompt_id);

alter table proxy_access add column system_prompt_id integer references system_prompts on delete set null;
create index proxy_access_by_prompt on proxy_access (system_prompt_id);

-- MCP tools ------------------------------------------------------------------------------------

create table mcp_tools (
  id integer generated always as identity primary key,
  proxy_id integer not null references proxies on delete cascade,
  name text not null,
  description text not null,
  enabled boolean not null default false,
  -- the whole tool as tools/list told it, and the sha-256 (hex) of its canonical JSON
  definition jsonb not null,
  definition_hash text not null,
  discovered_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (proxy_id, name)
);

-- Budgets --------------------------------------------------------------------------------------

create table organization_budget (
  -- the only row
  id integer primary key default 1 check (id = 1),
  monthly_budget_micro_usd bigint check (monthly_budget_micro_usd >= 0),
  budget_warning_threshold double precision not null default 0.8 check (budget_warning_threshold between 0 and 1),
  block_at_threshold boolean not null default false,
  updated_at timestamptz not null default now()
);
insert into organization_budget default values;

-- A reset takes nothing away: it notes what the month had cost by then, and only what was spent
-- after the latest one of the month counts against the budget.
create table budget_resets (
  id integer generated always as identity primary key,
  level text not null check (level in ('organization', 'user_group', 'user')),
  -- id of the group or of the key; 0 for the organization
  subject_id integer not null,
  -- UTC month, YYYY-MM
  month text not null,
  spent_micro_usd bigint not null,
  reset_by text not null,
  reset_at timestamptz not null default now()
);
create index budget_resets_latest on budget_resets (month, level, subject_id, id desc);

-- Sums per UTC day (YYYY-MM-DD), counted in the transaction that inserts the records they are made
-- of, so that budgets and reports never read those. An id of 0 stands for none.

create table daily_usage (
  day text not null,
  proxy_id integer not null,
  user_group_id integer not null,
  api_key_id integer not null,
  protocol text not null,
  model text not null,
  requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  total_tokens bigint not null,
  cost_micro_usd bigint not null,
  primary key (day, proxy_id, user_group_id, api_key_id, protocol, model)
);
create index daily_usage_by_group on daily_usage (user_group_id, day);
create index daily_usage_by_key on daily_usage (api_key_id, day);
create index daily_usage_by_proxy on daily_usage (proxy_id, day);

create table daily_requests (
  day text not null,
  proxy_id integer not null,
  user_group_id integer not null,
  api_key_id integer not null,
  requests bigint not null,
  primary key (day, proxy_id, user_group_id, api_key_id)
);
create index daily_requests_by_group on daily_requests (user_group_id, day);

create table daily_tool_calls (
  day text not null,
  proxy_id integer not null,
  tool_name text not null,
  user_group_id integer not null,
  api_key_id integer not null,
  calls bigint not null,
  primary key (day, proxy_id, tool_name, user_group_id, api_key_id)
);
create index daily_tool_calls_by_proxy on daily_tool_calls (proxy_id, tool_name);
create index daily_tool_calls_by_group on daily_tool_calls (user_group_id, day);

insert into daily_usage
select to_char(timestamp at time zone 'utc', 'YYYY-MM-DD'), proxy_id, coalesce(user_group_id, 0), coalesce(api_key_id, 0),
  protocol, model, count(*), sum(input_tokens), sum(output_tokens), sum(total_tokens), sum(cost_micro_usd)
from usage_records group by 1, 2, 3, 4, 5, 6;

insert into daily_requests
select to_char(timestamp at time zone 'utc', 'YYYY-MM-DD'), proxy_id, coalesce(user_group_id, 0), coalesce(api_key_id, 0),
  count(*)
from request_logs group by 1, 2, 3, 4;

-- Configuration feed ---------------------------------------------------------------------------

create trigger config_lock before insert or update or delete on system_prompts
  for each statement execute function lock_config();
create trigger config_lock before insert or update or delete on proxy_system_prompts
  for each statement execute function lock_config();
create trigger config_lock before insert or update or delete on mcp_tools
  for each statement execute function lock_config();
create trigger config_lock before insert or update or delete on organization_budget
  for each statement execute function lock_config();
create trigger config_lock before insert or update or delete on budget_resets
  for each statement execute function lock_config();

create trigger config_change after insert or update or delete on system_prompts
  for each row execute function record_config_change('id');
create trigger config_change after insert or update or delete on proxy_system_prompts
  for each row execute function record_config_change('proxy_id');
create trigger config_change after insert or update or delete on mcp_tools
  for each row execute function record_config_change('proxy_id');
create trigger config_change after insert or update or delete on organization_budget
  for each row execute function record_config_change('id');
create trigger config_change after insert or update or delete on budget_resets
  for each row execute function record_config_change('id');
