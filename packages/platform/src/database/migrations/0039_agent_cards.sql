-- Keys with which the gateway signs the cards that it serves. The private one is encrypted and bound to its kid.
create table card_signing_keys (
  id integer generated always as identity primary key,
  kid text not null unique,
  public_key jsonb not null,
  private_key text not null,
  created_at timestamptz not null default now(),
  -- from then on it signs nothing, and is still published for a while
  retired_at timestamptz
);
-- One signs at a time.
create unique index card_signing_keys_current on card_signing_keys ((true)) where retired_at is null;

alter table agents
  -- public keys, JWK, one of which must have signed every card of the agent; null for none
  add column trusted_keys jsonb,
  -- what the signatures of the card came to
  add column signature jsonb not null default '{"status": "unsigned"}',
  -- what policies found in the texts of the card
  add column findings jsonb not null default '[]',
  -- when the card was last looked for at its URL, and why it was not found then
  add column checked_at timestamptz,
  add column check_problem text;

-- Cards that differ from the one that is in force, and what was decided about them.
create table agent_card_changes (
  id integer generated always as identity primary key,
  agent_id integer not null references agents on delete cascade,
  status text not null check (status in ('pending', 'approved', 'rejected', 'reverted', 'recorded')),
  severity text not null,
  source text not null check (source in ('check', 'update')),
  -- each thing in which the new card differs
  differences jsonb not null,
  findings jsonb not null,
  old_hash text not null,
  -- the new card as it came, its SHA-256, and what its signatures came to
  card_source text not null,
  new_hash text not null,
  signature jsonb not null,
  detected_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by text,
  note text,
  updated_at timestamptz not null default now()
);
create index agent_card_changes_by_agent on agent_card_changes (agent_id, id desc);
-- A newer change takes the place of one that waits.
create unique index agent_card_changes_pending on agent_card_changes (agent_id) where status = 'pending';
