-- The audit log: appended to, never changed. Each record's hash covers the hash of the record before
-- it and everything in the record itself, see docs/decisions/0011-audit.md.

create table audit_log (
  -- Position in the chain, without gaps; given by the trigger, as the hash is.
  id bigint primary key default 0,
  hash text not null default '',
  event_id uuid not null unique,
  timestamp timestamptz not null,
  event_type text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  actor_type text not null,
  actor_id integer,
  actor_name text,
  actor_email text,
  actor_role text,
  resource_type text,
  resource_id text,
  resource_name text,
  action text not null,
  result text not null check (result in ('success', 'failure', 'partial')),
  details jsonb not null default '{}',
  changes jsonb,
  request_id text,
  source_ip text,
  user_agent text,
  error_message text
);
create index audit_log_by_type on audit_log (event_type, id desc);
create index audit_log_by_actor on audit_log (actor_name, id desc);
create index audit_log_by_resource on audit_log (resource_type, resource_id, id desc);
create index audit_log_by_time on audit_log (timestamp);

-- Both ends of the chain, in one row. Whoever appends locks it until the commit: that decides the order.
create table audit_chain (
  single boolean primary key default true check (single),
  last_id bigint not null,
  last_hash text not null,
  -- The newest record that has expired and was dropped: verification begins at its hash.
  anchor_id bigint not null,
  anchor_hash text not null
);
insert into audit_chain values (true, 0, repeat('0', 64), 0, repeat('0', 64));

create function chain_audit_record() returns trigger language plpgsql as $$
declare
  chain audit_chain;
begin
  select * into chain from audit_chain for update;
  -- Told a second time, after an answer that was lost.
  if exists (select from audit_log where event_id = new.event_id) then
    return null;
  end if;
  new.id := chain.last_id + 1;
  -- The same document is built by audit/verify-chain.ts.
  new.hash := encode(sha256(convert_to(chain.last_hash || jsonb_build_object(
    'id', new.id, 'event_id', new.event_id,
    'timestamp', to_char(new.timestamp at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'event_type', new.event_type, 'severity', new.severity,
    'actor_type', new.actor_type, 'actor_id', new.actor_id, 'actor_name', new.actor_name,
    'actor_email', new.actor_email, 'actor_role', new.actor_role,
    'resource_type', new.resource_type, 'resource_id', new.resource_id, 'resource_name', new.resource_name,
    'action', new.action, 'result', new.result, 'details', new.details, 'changes', new.changes,
    'request_id', new.request_id, 'source_ip', new.source_ip, 'user_agent', new.user_agent,
    'error_message', new.error_message)::text, 'UTF8')), 'hex');
  update audit_chain set last_id = new.id, last_hash = new.hash;
  return new;
end $$;
create trigger audit_chain before insert on audit_log
  for each row execute function chain_audit_record();

-- Against mistakes; against a writer who means it there are the hashes and the seals.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('portcullis.audit_retention', true) = 'on' then
    return null;
  end if;
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();

-- Signed positions of the chain. The key is not in the database, so whoever rewrites records and
-- hashes cannot rewrite these.
create table audit_seals (
  record_id bigint primary key,
  hash text not null,
  -- HMAC-SHA-256 over position and hash, hex
  seal text not null,
  sealed_at timestamptz not null default now()
);
