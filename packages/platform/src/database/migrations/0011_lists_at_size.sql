-- Searches compare with this and need no folding of letters per row and search.
alter table alerts add column search_text text not null generated always as (
  lower(title || E'\n' || description || E'\n' || rule_id || E'\n' || policy_name || E'\n' || source || E'\n' || target)
) stored;

-- Each single filter has its rows in the order of the list ---------------------------------------

create index alerts_by_status on alerts (status, created_at desc, id desc) where deleted_at is null;
create index alerts_by_action on alerts (action, created_at desc, id desc) where deleted_at is null;
create index alerts_by_proxy_type on alerts (proxy_type, created_at desc, id desc) where deleted_at is null;

-- Each carries what is often asked for along with it: then counting reads no rows, which lie far apart.
drop index alerts_by_proxy, alerts_by_policy, alerts_by_rule, alerts_by_user, alerts_by_group;
create index alerts_by_proxy on alerts (proxy_id, created_at desc, id desc)
  include (severity, status, category, action, proxy_type) where deleted_at is null;
create index alerts_by_policy on alerts (policy_name, created_at desc, id desc)
  include (severity, status, category, action, proxy_type, proxy_id) where deleted_at is null;
create index alerts_by_rule on alerts (rule_id, created_at desc, id desc)
  include (severity, status, category, action, proxy_type, proxy_id, policy_name) where deleted_at is null;
create index alerts_by_user on alerts (user_identity, created_at desc, id desc)
  include (severity, status, category, action, proxy_type, proxy_id, policy_name, user_group) where deleted_at is null;
create index alerts_by_group on alerts (user_group, created_at desc, id desc)
  include (severity, status, category, action, proxy_type, proxy_id, policy_name) where deleted_at is null;

-- Counters ---------------------------------------------------------------------------------------

-- Integers add up to bigint; bigint would add up to numeric, which takes many times as long.
alter table alert_kind_counts alter column count type integer;
alter table alert_subject_counts alter column count type integer;

-- Everything by severity and status is the subject 'all', whose value is ''; sources are in the table below.
delete from alert_subject_counts where subject = 'source';
alter table alert_subject_counts drop constraint alert_subject_counts_subject_check;
alter table alert_subject_counts add check (subject in ('all', 'proxy', 'policy', 'rule', 'user', 'group'));
drop index alert_subject_counts_by_day;

-- Whom statistics rank, over periods of three lengths, so that a window consists of few of them.
create table alert_top_counts (
  subject text not null check (subject in ('policy', 'rule', 'source')),
  -- A UTC day as YYYY-MM-DD, a week as W and its Monday, or '' for all times.
  period text not null,
  -- cut to 300 characters, since an index takes no long texts
  value text not null,
  count integer not null,
  primary key (subject, period, value)
) with (fillfactor = 70);

create or replace function alert_count_statements(changes text) returns text[] language sql immutable as $$
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
      select subject, left(value, 300), to_char(created_at at time zone 'utc', 'YYYY-MM-DD'), severity, status, sum(n)
      from (%s) as changed, lateral (values ('all', ''), ('proxy', proxy_id::text), ('policy', policy_name),
        ('rule', rule_id), ('user', user_identity), ('group', user_group)) as subjects (subject, value)
      where deleted_at is null and value is not null
      group by 1, 2, 3, 4, 5 having sum(n) <> 0 order by 1, 2, 3, 4, 5
      on conflict (subject, value, day, severity, status)
        do update set count = known.count + excluded.count $sql$, changes),
    format($sql$
      insert into alert_top_counts as known
      select subject, period, value, sum(n) from (
        select subject, left(value, 300) as value, (created_at at time zone 'utc')::date as day, sum(n) as n
        from (%s) as changed, lateral (values ('policy', policy_name), ('rule', rule_id), ('source', source))
          as subjects (subject, value)
        where deleted_at is null
        group by 1, 2, 3 having sum(n) <> 0
      ) as days, lateral (values (to_char(day, 'YYYY-MM-DD')), (to_char(date_trunc('week', day), '"W"YYYY-MM-DD')), (''))
        as periods (period)
      group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3
      on conflict (subject, period, value)
        do update set count = known.count + excluded.count $sql$, changes)
  ]
$$;

create or replace function recount_alerts() returns void language plpgsql as $$
declare
  statement text;
begin
  lock table alerts in share mode;
  delete from alert_kind_counts;
  delete from alert_subject_counts;
  delete from alert_top_counts;
  foreach statement in array alert_count_statements('select *, 1 as n from alerts') loop
    execute statement;
  end loop;
end $$;
select recount_alerts();

-- The audit log -----------------------------------------------------------------------------------

alter table audit_log add column search_text text not null generated always as (
  lower(event_type || ' ' || action || ' ' || coalesce(actor_name, '') || ' ' || coalesce(actor_email, '') || ' '
    || coalesce(resource_type, '') || ' ' || coalesce(resource_id, '') || ' ' || coalesce(resource_name, '') || ' '
    || coalesce(source_ip, '') || ' ' || coalesce(error_message, '') || ' ' || details::text)
) stored;
create index audit_log_by_severity on audit_log (severity, id desc);
create index audit_log_by_result on audit_log (result, id desc);
create index audit_log_by_address on audit_log (source_ip, id desc);
drop index audit_log_by_resource;
create index audit_log_by_resource_type on audit_log (resource_type, id desc);
create index audit_log_by_resource on audit_log (resource_id, resource_type, id desc);

-- Blocks of 5,000 records that follow each other, counted once they are full: records never change.
-- Block n begins after the record 5000 * n. What is in no block yet, or has begun to expire, is counted by its records.
create table audit_blocks (
  block integer primary key,
  first_at timestamptz not null,
  last_at timestamptz not null
);
create table audit_block_counts (
  -- '' for everybody
  actor text not null,
  block integer not null,
  event_type text not null,
  severity text not null,
  result text not null,
  -- '' for none
  resource_type text not null,
  count integer not null,
  primary key (actor, block, event_type, severity, result, resource_type)
);
