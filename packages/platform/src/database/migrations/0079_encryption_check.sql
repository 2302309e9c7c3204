-- A word sealed with the key that seals the secrets of this database: a process with another key stops at its start.
create table encryption_check (
  id integer primary key default 1 check (id = 1),
  sealed text not null,
  -- Tells which key it was, and nothing else of it.
  key_fingerprint text not null,
  sealed_at timestamptz not null default now()
);
