-- Where other processes reach the port of this one, as a URL; null for a process that has nothing on it.
alter table service_instances add column address text;

-- The places of services on the public port. A row outlives the processes of its service, so that a path of a service
-- that is away is known to be one; what has not been named for a week is forgotten.
create table service_mounts (
  prefix text primary key,
  service text not null,
  named_at timestamptz not null default now()
);

-- What kind of traffic an alert is about, and which kinds a policy reads.
alter table alerts add check (proxy_type in ('llm', 'mcp', 'a2a'));
alter table policies add check (policy_type in ('llm', 'mcp', 'a2a', 'both'));
