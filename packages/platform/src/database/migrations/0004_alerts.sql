-- Who changed an alert, and when ---------------------------------------------------------------

create table alert_events (
  id bigint generated always as identity primary key,
  alert_id bigint not null references alerts on delete cascade,
  event text not null check (event in ('status', 'deleted')),
  from_status text not null,
  to_status text not null,
  actor_id integer,
  actor text not null,
  at timestamptz not null default now()
);
create index alert_events_by_alert on alert_events (alert_id, id);

-- Lists: newest first, within each thing they are filtered by ----------------------------------

drop index alerts_newest;
drop index alerts_by_proxy;
create index alerts_by_time on alerts (created_at desc, id desc)
  include (severity, status, category, action, proxy_type) where deleted_at is null;
create index alerts_by_kind on alerts (severity, status, created_at desc, id desc) where deleted_at is null;
create index alerts_by_category on alerts (category, created_at desc, id desc) where deleted_at is null;
create index alerts_by_proxy on alerts (proxy_id, created_at desc, id desc)
  include (severity, status, category, action) where deleted_at is null;
create index alerts_by_policy on alerts (policy_name, created_at desc, id desc)
  include (severity, status) where deleted_at is null;
create index alerts_by_rule on alerts (rule_id, created_at desc, id desc) where deleted_at is null;
create index alerts_by_user on alerts (user_identity, created_at desc, id desc) where deleted_at is null;
create index alerts_by_group on alerts (user_group, created_at desc, id desc) where deleted_at is null;
create index alerts_deleted on alerts (deleted_at) where deleted_at is not null;

-- Counters per UTC day: totals and deep offsets without counting rows --------------------------

create table alert_kind_counts (
  -- YYYY-MM-DD
  day text not null,
  severity text not null,
  status text not null,
  category text not null,
  action text not null,
  -- '' for none
  proxy_type text not null,
  count bigint not null,
  primary key (day, severity, status, category, action, proxy_type)
) with (fillfactor = 70);

create table alert_subject_counts (
  subject text not null check (subject in ('proxy', 'policy', 'rule', 'source', 'user', 'group')),
  -- cut to 300 characters, since an index takes no long texts
  value text not null,
  day text not null,
  -- '' for sources, of which there are many and which no list is filtered by
  severity text not null,
  status text not null,
  count bigint not null,
  primary key (subject, value, day, severity, status)
) with (fillfactor = 70);
create index alert_subject_counts_by_day on alert_subject_counts (subject, day);

-- The statements that add what `changes` selects: columns of alerts, and n for how often each counts.
-- Rows are taken in the order of their keys, so that no two transactions wait for each other.
create function alert_count_statements(changes text) returns text[] language sql immutable as $$
  select array[
    format($sql$
      insert into alert_kind_counts as known
      select to_char(created_at at time zone 'utc', 'YYYY-MM-DD'), severity, status, category, action, coalesce(proxy_type, ''), sum(n)
      from (%s) as changed where deleted_at is null
      group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0 order by 1, 2, 3, 4, 5, 6
      on conflict (day, severity, status, category, action, proxy_type)
        do update set count = known.count + excluded.count $sql$, changes),
    format($sql$
      insert into alert_subject_counts as known
      select subject, left(value, 300), to_char(created_at at time zone 'utc', 'YYYY-MM-DD'),
        case subject when 'source' then '' else severity end, case subject when 'source' then '' else status end, sum(n)
      from (%s) as changed, lateral (values ('proxy', proxy_id::text), ('policy', policy_name), ('rule', rule_id),
        ('source', source), ('user', user_identity), ('group', user_group)) as subjects (subject, value)
      where deleted_at is null and value is not null
      group by 1, 2, 3, 4, 5 having sum(n) <> 0 order by 1, 2, 3, 4, 5
      on conflict (subject, value, day, severity, status)
        do update set count = known.count + excluded.count $sql$, changes)
  ]
$$;

-- The statements run here and not in a function of their own, which would not see added and removed.
create function count_alerts() returns trigger language plpgsql as $$
declare
  statement text;
begin
  foreach statement in array alert_count_statements(case tg_op
    when 'INSERT' then 'select *, 1 as n from added'
    when 'DELETE' then 'select *, -1 as n from removed'
    else 'select *, 1 as n from added union all select *, -1 from removed'
  end) loop
    execute statement;
  end loop;
  return null;
end $$;

create trigger count_added after insert on alerts
  referencing new table as added for each statement execute function count_alerts();
create trigger count_changed after update on alerts
  referencing old table as removed new table as added for each statement execute function count_alerts();
create trigger count_removed after delete on alerts
  referencing old table as removed for each statement execute function count_alerts();

-- Counts everything anew: once here, and after a load with the triggers off.
create function recount_alerts() returns void language plpgsql as $$
declare
  statement text;
begin
  lock table alerts in share mode;
  delete from alert_kind_counts;
  delete from alert_subject_counts;
  foreach statement in array alert_count_statements('select *, 1 as n from alerts') loop
    execute statement;
  end loop;
end $$;
select recount_alerts();
