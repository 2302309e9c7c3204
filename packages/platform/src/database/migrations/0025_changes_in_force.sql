-- The configuration revision that each runtime process has in force, see config_changes: whoever changed something
-- learns from it when the change counts everywhere.
create table runtime_revisions (
  instance_id uuid primary key,
  revision bigint not null,
  updated_at timestamptz not null default now()
);

-- Up to here single changes may have been removed from config_changes: who knows an older revision than this
-- cannot tell which rows changed since, and reads all of them.
create table config_changes_removed (
  only_row boolean primary key default true check (only_row),
  revision bigint not null
);
insert into config_changes_removed (revision) select coalesce(max(revision), 0) from config_changes;

-- A row that moves to another id changes both: the one it had has lost it.
create or replace function record_config_change() returns trigger language plpgsql as $$
declare
  after_id text := to_jsonb(coalesce(new, old)) ->> tg_argv[0];
  before_id text := to_jsonb(old) ->> tg_argv[0];
begin
  if tg_op = 'UPDATE' and before_id is distinct from after_id then
    insert into config_changes (kind, id) values (tg_table_name, before_id);
  end if;
  insert into config_changes (kind, id) values (tg_table_name, after_id);
  perform pg_notify('config_changes', tg_table_name);
  return null;
end $$;
