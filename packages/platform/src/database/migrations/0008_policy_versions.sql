-- A policy in shadow mode is evaluated and recorded, and never enforced.
alter table proxy_policies add column mode text not null default 'enforce' check (mode in ('enforce', 'shadow'));

-- Counts the documents of a policy; whoever replaces one may say which one was read.
alter table policies add column revision integer not null default 1;
alter table policies add column saved_by text;

-- Every document that a policy has had, the present one included. Written by triggers, so that no way of
-- saving a policy can leave it out.
create table policy_versions (
  policy_id integer not null references policies on delete cascade,
  revision integer not null,
  version text not null,
  document jsonb not null,
  saved_at timestamptz not null default now(),
  saved_by text,
  primary key (policy_id, revision)
);

insert into policy_versions (policy_id, revision, version, document, saved_at)
  select id, revision, version, document, updated_at from policies;

create function number_policy_document() returns trigger language plpgsql as $$
begin
  new.revision := old.revision;
  if new.document is distinct from old.document then
    new.revision := old.revision + 1;
  end if;
  return new;
end $$;

create function keep_policy_document() returns trigger language plpgsql as $$
begin
  insert into policy_versions (policy_id, revision, version, document, saved_by)
    values (new.id, new.revision, new.version, new.document, new.saved_by)
    on conflict do nothing;
  delete from policy_versions where policy_id = new.id and revision <= new.revision - 50;
  return null;
end $$;

create trigger number_document before update on policies
  for each row execute function number_policy_document();
create trigger keep_document after insert or update on policies
  for each row execute function keep_policy_document();
