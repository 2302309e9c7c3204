-- Whether each outbound channel gets through, so that a change is told once, whichever process sees it.
create table integration_states (
  channel text primary key,
  status text not null check (status in ('working', 'failing')),
  reason text,
  changed_at timestamptz not null default now()
);
