-- Each index of the audit log carries along what is often asked for beside its own columns: then what
-- several filters let pass is found, and counted, without reading the records in between.
drop index audit_log_by_actor, audit_log_by_type, audit_log_by_severity, audit_log_by_address, audit_log_by_resource_type,
  audit_log_by_resource;
create index audit_log_by_type on audit_log (event_type, id desc)
  include (severity, result, resource_type, timestamp);
create index audit_log_by_severity on audit_log (severity, id desc)
  include (event_type, result, resource_type, timestamp);
create index audit_log_by_resource_type on audit_log (resource_type, id desc)
  include (event_type, severity, result, timestamp);
create index audit_log_by_actor on audit_log (actor_name, id desc)
  include (event_type, severity, result, resource_type, timestamp);
create index audit_log_by_address on audit_log (source_ip, id desc)
  include (event_type, severity, result, resource_type, actor_name, timestamp);
create index audit_log_by_resource on audit_log (resource_id, resource_type, id desc)
  include (event_type, severity, result, actor_name, source_ip, timestamp);

-- How far the audit log has been written to the log of a process, in one row: whoever has it locked writes on.
create table audit_announced (
  single boolean primary key default true check (single),
  last_id bigint not null
);
insert into audit_announced select true, last_id from audit_chain;

-- What went through a proxy within an hour, so that statistics need not read every request.
create table hourly_requests (
  hour timestamptz not null,
  proxy_id integer not null,
  requests bigint not null,
  -- answered with a status of 400 or above
  failed bigint not null,
  duration_ms double precision not null,
  -- of request and response bodies
  bytes bigint not null,
  primary key (proxy_id, hour)
);
insert into hourly_requests
select date_trunc('hour', timestamp, 'UTC'), proxy_id, count(*), count(*) filter (where status_code >= 400),
  sum(duration_ms), sum(request_size + response_size)
from request_logs group by 1, 2;
