-- What the gateway sends to an agent to be let in, encrypted and bound to the row: {header?, value}.
alter table agents add column target_auth text;

-- Calls of agents. Partitioned by day; partitions are made as records arrive and dropped when they expire.
create table agent_invocations (
  id bigint generated always as identity,
  event_id uuid not null,
  timestamp timestamptz not null,
  request_id text not null,
  trace_id text,
  agent_id integer not null,
  agent_name text not null,
  user_type text not null,
  -- of the API key or the user
  user_id integer,
  user_identity text,
  user_group_id integer,
  invocation_type text not null,
  -- where the call came in
  surface text not null,
  -- generations of A2A, and the binding of the agent
  caller_version text,
  agent_version text,
  agent_binding text,
  task_id text,
  context_id text,
  task_state text,
  response_status integer not null,
  error text,
  duration_ms double precision not null,
  first_event_ms double precision,
  events integer,
  request_size bigint not null,
  response_size bigint not null,
  blocked boolean not null,
  block_reasons jsonb,
  policy_hits jsonb,
  risk_score integer not null,
  rate_limit_exceeded boolean not null,
  -- invocations per minute; 0 is none
  rate_limit_applied integer not null,
  source_ip text not null,
  user_agent text,
  -- sanitized, cut to size
  request_payload jsonb,
  response_payload jsonb,
  primary key (timestamp, event_id)
) partition by range (timestamp);
create index agent_invocations_by_agent on agent_invocations (agent_id, timestamp desc, id desc);
