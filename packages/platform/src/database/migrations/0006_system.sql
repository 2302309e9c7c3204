-- A boot of the installation lasts from the first of its processes that starts to the last one that
-- ends. One row, of the latest.
create table boots (
  id bigint generated always as identity primary key,
  started_at timestamptz not null default now(),
  -- when the proxies that start with the installation were wanted
  auto_started_at timestamptz
);

-- Null until the process knows to which boot it belongs.
alter table service_instances add column boot_id bigint;
