-- Agents that the gateway knows: their cards as they came, and as they were read.
create table agents (
  id integer generated always as identity primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'inactive', 'maintenance')),
  -- where the card was found; null for a card that an admin sent
  base_url text,
  -- interfaces of the card may be on other servers than the card
  accepts_other_origins boolean not null default false,
  -- in the form of A2A 1.0
  card jsonb not null,
  card_source text not null,
  -- SHA-256 of the source, in hex
  card_hash text not null,
  -- generation of A2A in which the source is written
  card_written_in text not null check (card_written_in in ('0.2', '0.3', '1.0')),
  card_read_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Names that differ in case only are one name.
create unique index agents_name_key_folded on agents (lower(name));

-- Which user group may use which agent.
create table agent_access (
  id integer generated always as identity primary key,
  agent_id integer not null references agents on delete cascade,
  user_group_id integer not null references user_groups on delete cascade,
  -- invocations per minute of the whole group; 0 is no limit
  rate_limit integer not null default 0 check (rate_limit >= 0),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (agent_id, user_group_id)
);
create index agent_access_by_group on agent_access (user_group_id);
