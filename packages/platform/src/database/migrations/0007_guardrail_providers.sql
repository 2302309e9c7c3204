-- Services outside of the gateway that judge texts.
create table guardrail_providers (
  id integer generated always as identity primary key,
  name text not null unique,
  description text not null default '',
  provider_type text not null,
  config jsonb not null,
  -- sealed JSON; null when there are none
  credentials text,
  direction text not null default 'request' check (direction in ('request', 'response', 'both')),
  action text not null default 'block' check (action in ('block', 'monitor')),
  failure_mode text not null default 'open' check (failure_mode in ('open', 'closed')),
  timeout_ms integer not null default 5000 check (timeout_ms between 500 and 60000),
  priority integer not null default 0 check (priority between 0 and 100),
  min_confidence double precision not null default 0 check (min_confidence between 0 and 1),
  alert_on_failure boolean not null default false,
  alert_on_violation boolean not null default true,
  log_content boolean not null default false,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Apart from guardrail_providers, since no snapshot depends on it.
create table guardrail_provider_health (
  provider_id integer primary key references guardrail_providers on delete cascade,
  status text not null check (status in ('healthy', 'unhealthy')),
  message text,
  latency_ms double precision,
  checked_at timestamptz not null
);

create table guardrail_assignments (
  id integer generated always as identity primary key,
  provider_id integer not null references guardrail_providers on delete cascade,
  proxy_id integer not null references proxies on delete cascade,
  -- null: everybody on the proxy
  user_group_id integer references user_groups on delete cascade,
  priority integer not null default 0 check (priority between 0 and 100),
  enabled boolean not null default true,
  created_at timestamptz not null default now()
);
create unique index guardrail_assignments_once
  on guardrail_assignments (provider_id, proxy_id, coalesce(user_group_id, 0));
create index guardrail_assignments_by_proxy on guardrail_assignments (proxy_id);
create index guardrail_assignments_by_group on guardrail_assignments (user_group_id);

create trigger config_lock before insert or update or delete on guardrail_providers
  for each statement execute function lock_config();
create trigger config_lock before insert or update or delete on guardrail_assignments
  for each statement execute function lock_config();
create trigger config_change after insert or update or delete on guardrail_providers
  for each row execute function record_config_change('id');
create trigger config_change after insert or update or delete on guardrail_assignments
  for each row execute function record_config_change('proxy_id');

-- Partitioned by day; partitions are made as records arrive and dropped when they expire. It outlives
-- providers, so it names them.
create table guardrail_checks (
  id bigint generated always as identity,
  event_id uuid not null,
  timestamp timestamptz not null,
  request_id text not null,
  provider_id integer not null,
  provider_name text not null,
  provider_type text not null,
  proxy_id integer not null,
  user_group_id integer,
  api_key_id integer,
  direction text not null,
  verdict text not null,
  action text not null,
  categories jsonb not null,
  confidence double precision,
  latency_ms double precision not null,
  tokens bigint,
  cached boolean not null,
  error text,
  content_preview text,
  primary key (timestamp, event_id)
) partition by range (timestamp);
create index guardrail_checks_by_provider on guardrail_checks (provider_id, timestamp desc);
