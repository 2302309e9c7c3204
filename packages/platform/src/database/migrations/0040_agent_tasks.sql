-- Tasks of agents as their callers know them, in the form of A2A 1.0 and with ids of the gateway.
create table agent_tasks (
  id text primary key,
  agent_id integer not null references agents on delete cascade,
  -- whose it is: `group:7`, or `user:1` of an admin
  owner text not null,
  context_id text not null,
  -- as the agent calls them; null for a task that the gateway made of a message
  upstream_id text,
  upstream_context_id text,
  state text not null,
  -- nothing changes it any more
  ended boolean not null,
  -- when it last changed, by the gateway's clock
  changed_at timestamptz not null,
  task jsonb not null
);
create index agent_tasks_listed on agent_tasks (agent_id, owner, changed_at desc, id desc);
create index agent_tasks_by_context on agent_tasks (context_id);
create index agent_tasks_by_upstream on agent_tasks (agent_id, upstream_id) where upstream_id is not null;
create index agent_tasks_open on agent_tasks (owner) where not ended;
create index agent_tasks_by_age on agent_tasks (changed_at);

-- Messages that callers named themselves: the same again gets the task of the first.
create table agent_messages (
  agent_id integer not null references agents on delete cascade,
  owner text not null,
  message_id text not null,
  -- SHA-256 of what it says
  fingerprint text not null,
  -- null while the agent works on it
  task_id text,
  received_at timestamptz not null default now(),
  primary key (agent_id, owner, message_id)
);
create index agent_messages_by_age on agent_messages (received_at);
