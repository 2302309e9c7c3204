-- What admins excepted from rules, and until when. What is null narrows nothing. There are no references: what is gone
-- must not widen an exception, and an exception stays listed without it.
create table policy_exceptions (
  id integer generated always as identity primary key,
  rule_id text not null,
  policy_name text,
  proxy_id integer,
  agent_id integer,
  user_group_id integer,
  tool text,
  reason text not null,
  -- the alert it was made from
  alert_id bigint,
  created_at timestamptz not null default now(),
  created_by text not null,
  ends_at timestamptz not null,
  -- by an admin, before it expired
  ended_at timestamptz,
  ended_by text,
  end_reason text
);
create index policy_exceptions_open on policy_exceptions (ends_at) where ended_at is null;
create trigger config_lock before insert or update or delete on policy_exceptions
  for each statement execute function lock_config();
create trigger config_change after insert or update or delete on policy_exceptions
  for each row execute function record_config_change('id');

-- Apart, for use is no change of the configuration.
create table policy_exception_usage (
  exception_id integer primary key references policy_exceptions on delete cascade,
  use_count bigint not null,
  last_used_at timestamptz not null
);

-- Ids of the exceptions that were used.
alter table request_logs add column exceptions jsonb;
alter table agent_invocations add column exceptions jsonb;
