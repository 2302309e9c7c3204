-- Which task of an agent a call belongs to: `<how it was recognised>_<keyed digest>`, null where nothing tells.
alter table request_logs add column session_id text;
alter table usage_records add column session_id text;
alter table agent_invocations add column session_id text;
create index request_logs_by_session on request_logs (session_id, timestamp, event_id) where session_id is not null;
create index agent_invocations_by_session on agent_invocations (session_id, timestamp, event_id) where session_id is not null;

-- Where the time of a request went, as far as the runtime measures it, and what was changed in it.
alter table request_logs add column inspection_ms double precision;
alter table request_logs add column target_wait_ms double precision;
alter table request_logs add column response_inspection_ms double precision;
alter table request_logs add column changes jsonb;

-- Records as spools write them, with what came since request_log_row and usage_row; these types never change either.
create type request_log_row_2 as (
  event_id uuid,
  timestamp bigint,
  request_id text,
  proxy_id integer,
  method text,
  path text,
  status_code integer,
  duration_ms bigint,
  request_size integer,
  response_size bigint,
  client_ip text,
  user_agent text,
  api_key_id integer,
  user_group_id integer,
  risk_level text,
  denied_reason text,
  denied_stage text,
  target_problem text,
  user_id integer,
  session_id text,
  inspection_ms bigint,
  target_wait_ms bigint,
  response_inspection_ms bigint
);
create type usage_row_2 as (
  event_id uuid,
  timestamp bigint,
  request_id text,
  proxy_id integer,
  api_key_id integer,
  user_group_id integer,
  protocol text,
  model text,
  input_tokens bigint,
  cached_input_tokens bigint,
  cache_write_tokens bigint,
  output_tokens bigint,
  reasoning_tokens bigint,
  total_tokens bigint,
  cost_micro_usd bigint,
  stated_cost_micro_usd bigint,
  priced boolean,
  estimated boolean,
  user_id integer,
  session_id text
);

-- One task of an agent over all proxies and agents, added up as its calls are recorded.
create table sessions (
  id text primary key,
  started_at timestamptz not null,
  last_at timestamptz not null,
  api_key_id integer,
  user_id integer,
  user_group_id integer,
  -- the first of each, bounded
  proxy_ids integer[] not null,
  agent_ids integer[] not null,
  models text[] not null,
  calls integer not null,
  refused integer not null,
  failed integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_micro_usd bigint not null
);
create index sessions_by_start on sessions (started_at desc, id desc);
