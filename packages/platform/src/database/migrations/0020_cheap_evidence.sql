-- One index of request logs instead of two: it finds those of a proxy as well, and event ids never change their proxy.
drop index request_logs_by_proxy;
alter table request_logs drop constraint request_logs_pkey;
alter table request_logs add primary key (proxy_id, timestamp, event_id);

-- Records as spools write them: times in milliseconds since 1970, durations in microseconds. Lines in this form wait on
-- disks, so these types never change; other columns need another type.
create type request_log_row as (
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
  injected_prompts jsonb,
  skipped_prompts jsonb,
  target_problem text
);
create type usage_row as (
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
  priced boolean,
  estimated boolean
);
