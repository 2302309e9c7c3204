-- Identity -----------------------------------------------------------------------------------

create table users (
  id integer generated always as identity primary key,
  username text not null unique,
  email text not null,
  role text not null check (role in ('viewer', 'operator', 'admin')),
  password_hash text not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table user_groups (
  id integer generated always as identity primary key,
  name text not null unique,
  description text not null default '',
  active boolean not null default true,
  monthly_budget_micro_usd bigint check (monthly_budget_micro_usd >= 0),
  budget_warning_threshold double precision not null default 0.8 check (budget_warning_threshold between 0 and 1),
  block_at_threshold boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table api_keys (
  id integer generated always as identity primary key,
  name text not null default '',
  description text not null default '',
  user_group_id integer not null references user_groups on delete cascade,
  -- sha-256 of the whole token, hex; the token itself is never stored
  key_hash text not null unique,
  key_prefix text not null,
  active boolean not null default true,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index api_keys_by_group on api_keys (user_group_id);

-- Apart from api_keys, since every batch of traffic writes it and no snapshot depends on it.
create table api_key_usage (
  api_key_id integer primary key references api_keys on delete cascade,
  request_count bigint not null default 0,
  last_used_at timestamptz
);

-- Proxies ------------------------------------------------------------------------------------

create table proxies (
  id integer generated always as identity primary key,
  name text not null unique,
  type text not null check (type in ('llm', 'mcp')),
  transport text not null default 'http' check (transport in ('http', 'websocket', 'sse')),
  description text not null default '',
  target text not null,
  port integer not null unique check (port between 1 and 65535),
  enabled boolean not null default true,
  auto_start boolean not null default false,
  tags jsonb not null default '[]',
  settings jsonb not null default '{}',
  -- encrypted; credentials that replace the client's towards the target
  target_auth text,
  desired_state text not null default 'stopped' check (desired_state in ('running', 'stopped')),
  -- counts restart commands: a runtime restarts a listener whose generation grew
  generation integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table proxy_access (
  id integer generated always as identity primary key,
  user_group_id integer not null references user_groups on delete cascade,
  proxy_id integer not null references proxies on delete cascade,
  permissions text not null default '{}',
  rate_limit integer not null default 0 check (rate_limit >= 0),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_group_id, proxy_id)
);
create index proxy_access_by_proxy on proxy_access (proxy_id);

create table policies (
  id integer generated always as identity primary key,
  name text not null unique,
  version text not null,
  description text not null default '',
  severity text not null,
  policy_type text not null,
  builtin boolean not null default false,
  active boolean not null default true,
  document jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Assigned by name and without a foreign key: an assignment may name a policy that does not exist
-- (yet), which is reported as exists = false.
create table proxy_policies (
  proxy_id integer not null references proxies on delete cascade,
  policy_name text not null,
  position integer not null default 0,
  primary key (proxy_id, policy_name)
);

create table settings (
  section text primary key,
  document jsonb not null,
  updated_at timestamptz not null default now()
);

-- Configuration feed ---------------------------------------------------------------------------

create table config_changes (
  revision bigint generated always as identity primary key,
  kind text not null,
  -- id of the changed row, as text; proxy id for rows that belong to a proxy
  id text not null,
  changed_at timestamptz not null default now()
);

-- One configuration change at a time, from before its first row lock to its commit. Revisions thus
-- become visible in the order of their numbers: otherwise a transaction that commits late could
-- hide a smaller revision from a reader that has already passed it. And no two changes deadlock.
create function lock_config() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7261001);
  return null;
end $$;

create function record_config_change() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
begin
  insert into config_changes (kind, id) values (tg_table_name, changed ->> tg_argv[0]);
  perform pg_notify('config_changes', tg_table_name);
  return null;
end $$;

create trigger config_lock before insert or update or delete on user_groups
  for each statement execute function lock_config();
create trigger config_lock before insert or update or delete on api_keys
  for each statement execute function lock_config();
create trigger config_lock before insert or update or delete on proxies
  for each statement execute function lock_config();
create trigger config_lock before insert or update or delete on proxy_access
  for each statement execute function lock_config();
create trigger config_lock before insert or update or delete on policies
  for each statement execute function lock_config();
create trigger config_lock before insert or update or delete on proxy_policies
  for each statement execute function lock_config();
create trigger config_lock before insert or update or delete on settings
  for each statement execute function lock_config();

create trigger config_change after insert or update or delete on user_groups
  for each row execute function record_config_change('id');
create trigger config_change after insert or update or delete on api_keys
  for each row execute function record_config_change('id');
create trigger config_change after insert or update or delete on proxies
  for each row execute function record_config_change('id');
create trigger config_change after insert or update or delete on proxy_access
  for each row execute function record_config_change('id');
create trigger config_change after insert or update or delete on policies
  for each row execute function record_config_change('name');
create trigger config_change after insert or update or delete on proxy_policies
  for each row execute function record_config_change('proxy_id');
create trigger config_change after insert or update or delete on settings
  for each row execute function record_config_change('section');

-- Running processes ----------------------------------------------------------------------------

create table service_instances (
  instance_id uuid not null,
  service text not null,
  host text not null,
  pid integer not null,
  version text not null,
  -- {status, problems} as the service reported it at heartbeat_at
  health jsonb not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  primary key (instance_id, service)
);

-- What each runtime process really does with each proxy, beside what is desired.
create table proxy_states (
  proxy_id integer not null references proxies on delete cascade,
  instance_id uuid not null,
  state text not null check (state in ('running', 'stopped', 'error')),
  error text,
  -- desired-state revision this report answers, see config_changes
  revision bigint not null,
  port integer not null,
  started_at timestamptz,
  requests_processed bigint not null default 0,
  errors bigint not null default 0,
  updated_at timestamptz not null default now(),
  primary key (proxy_id, instance_id)
);

-- Evidence -------------------------------------------------------------------------------------

create table alerts (
  id bigint generated always as identity primary key,
  event_id uuid not null unique,
  request_id text,
  severity text not null,
  title text not null,
  description text not null,
  status text not null default 'new',
  action text not null,
  category text not null,
  proxy_id integer,
  proxy_type text,
  source text not null,
  target text not null,
  rule_id text not null,
  policy_name text not null,
  user_identity text,
  user_type text,
  user_group text,
  raw_data jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index alerts_newest on alerts (id desc) where deleted_at is null;
create index alerts_by_proxy on alerts (proxy_id, id desc) where deleted_at is null;

-- Partitioned by day; partitions are made as records arrive and dropped when they expire.
create table request_logs (
  id bigint generated always as identity,
  event_id uuid not null,
  timestamp timestamptz not null,
  request_id text not null,
  proxy_id integer not null,
  method text not null,
  path text not null,
  status_code integer not null,
  duration_ms double precision not null,
  request_size integer not null,
  response_size bigint not null,
  client_ip text not null,
  user_agent text,
  api_key_id integer,
  user_group_id integer,
  risk_level text not null,
  denied_reason text,
  denied_stage text,
  primary key (timestamp, event_id)
) partition by range (timestamp);
create index request_logs_by_proxy on request_logs (proxy_id, timestamp desc);

create table usage_records (
  id bigint generated always as identity,
  event_id uuid not null,
  timestamp timestamptz not null,
  request_id text not null,
  proxy_id integer not null,
  api_key_id integer,
  user_group_id integer,
  protocol text not null,
  model text not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  total_tokens bigint not null,
  cost_micro_usd bigint not null,
  estimated boolean not null,
  primary key (timestamp, event_id)
) partition by range (timestamp);
create index usage_records_by_proxy on usage_records (proxy_id, timestamp desc);

-- Messages that left with the transaction that caused them; the relay moves them to queue and bus.
create table outbox (
  id bigint generated always as identity primary key,
  topic text not null,
  payload jsonb not null,
  created_at timestamptz not null default now()
);
create function announce_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', '');
  return null;
end $$;
create trigger announce after insert on outbox for each statement execute function announce_outbox();

-- What became of each alert on each outbound channel.
create table alert_deliveries (
  alert_id bigint not null references alerts on delete cascade,
  channel text not null,
  status text not null check (status in ('retrying', 'delivered', 'dead')),
  attempts integer not null,
  last_error text,
  updated_at timestamptz not null default now(),
  primary key (alert_id, channel)
);
