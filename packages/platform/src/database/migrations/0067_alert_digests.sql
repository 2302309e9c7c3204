-- A flood of alerts is gathered: what one rule finds of one source goes out one by one at first, and then in digests.

-- What a channel has been told of a rule and a source lately. `key` is of rule, source, severity and category.
create table alert_groups (
  channel text not null,
  key text not null,
  policy_name text not null,
  rule_id text not null,
  -- When the run of alerts began that goes on, and how many went out one by one since.
  begun_at timestamptz not null,
  singles integer not null,
  -- Of the digests of this run: how many, and the latest.
  digests integer not null,
  digest_id uuid,
  latest_at timestamptz not null,
  primary key (channel, key)
);
create index alert_groups_by_rule on alert_groups (channel, policy_name, rule_id, begun_at);

create table alert_digests (
  id uuid primary key,
  channel text not null,
  status text not null default 'open' check (status in ('open', 'queued', 'retrying', 'delivered', 'dead')),
  opened_at timestamptz not null default now(),
  -- When it takes no more alerts, and is sent.
  due_at timestamptz not null,
  attempts integer not null default 0,
  last_error text,
  updated_at timestamptz not null default now()
);
create index alert_digests_open on alert_digests (due_at) where status = 'open';

-- An alert that is told of in a digest has the state of the digest.
alter table alert_deliveries add column digest_id uuid references alert_digests on delete cascade;
create index alert_deliveries_by_digest on alert_deliveries (digest_id, alert_id) where digest_id is not null;
alter table alert_deliveries drop constraint alert_deliveries_status_check;
alter table alert_deliveries add constraint alert_deliveries_status_check
  check (status in ('retrying', 'delivered', 'dead', 'grouped'));
