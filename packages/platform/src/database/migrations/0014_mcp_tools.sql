-- Tools: what admins set, and what waits for them ---------------------------------------------------

alter table mcp_tools
  -- a change of it waits for an admin: until then nobody may see or call it, whatever its switch says
  add column held boolean not null default false,
  -- calls per minute of each key; 0: no limit of its own
  add column rate_limit integer not null default 0 check (rate_limit >= 0),
  -- since when the target does not offer it any more
  add column missing_since timestamptz,
  -- what the tool-poisoning policies found in its definition
  add column findings jsonb not null default '[]';

-- What a target tells every model about itself: the text that was taken as good, and its sha-256 (hex).
create table mcp_servers (
  proxy_id integer primary key references proxies on delete cascade,
  instructions text not null,
  instructions_hash text not null,
  findings jsonb not null default '[]',
  updated_at timestamptz not null default now()
);

create table mcp_tool_changes (
  id integer generated always as identity primary key,
  proxy_id integer not null references proxies on delete cascade,
  -- null: the instructions of the server
  tool_name text,
  change_type text not null,
  severity text not null,
  -- pending: an admin decides; recorded: nothing to decide; reverted: the target took it back
  status text not null check (status in ('pending', 'approved', 'rejected', 'reverted', 'recorded')),
  -- of the words of the two descriptions, 0 to 1
  similarity double precision,
  differences jsonb not null default '[]',
  findings jsonb not null default '[]',
  old_definition jsonb,
  new_definition jsonb,
  old_hash text,
  new_hash text,
  source text not null check (source in ('discovery', 'monitor', 'traffic')),
  detected_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by text,
  note text
);
create unique index mcp_tool_changes_pending on mcp_tool_changes (proxy_id, coalesce(tool_name, ''))
  where status = 'pending';
create index mcp_tool_changes_by_proxy on mcp_tool_changes (proxy_id, id desc);

-- When the tools of a target were last compared with what is known, and when they are to be again.
create table mcp_tool_checks (
  proxy_id integer primary key references proxies on delete cascade,
  due_at timestamptz not null default now() + interval '6 hours',
  checked_at timestamptz,
  -- null when the target answered
  problem text
);

-- What traffic showed and nobody knew yet; settled and removed by the management API.
create table mcp_sightings (
  id bigint generated always as identity primary key,
  event_id uuid not null unique,
  seen_at timestamptz not null,
  proxy_id integer not null,
  request_id text not null,
  subject text not null check (subject in ('tool', 'instructions', 'missing')),
  -- of the tool; empty for the instructions
  name text not null,
  hash text not null,
  definition jsonb not null
);

-- Calls ----------------------------------------------------------------------------------------------

-- Partitioned by day; partitions are made as records arrive and dropped when they expire.
create table mcp_tool_calls (
  id bigint generated always as identity,
  event_id uuid not null,
  timestamp timestamptz not null,
  request_id text not null,
  proxy_id integer not null,
  tool_name text not null,
  api_key_id integer,
  user_group_id integer,
  outcome text not null check (outcome in ('answered', 'failed', 'blocked')),
  duration_ms double precision not null,
  primary key (timestamp, event_id)
) partition by range (timestamp);
create index mcp_tool_calls_by_tool on mcp_tool_calls (proxy_id, tool_name, timestamp desc);

alter table daily_tool_calls
  add column errors bigint not null default 0,
  add column blocked bigint not null default 0,
  add column last_used_at timestamptz;

-- Configuration feed ---------------------------------------------------------------------------------

create trigger config_lock before insert or update or delete on mcp_servers
  for each statement execute function lock_config();
create trigger config_change after insert or update or delete on mcp_servers
  for each row execute function record_config_change('proxy_id');
