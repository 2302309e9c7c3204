-- Records are copied in the order of their times: what comes last goes to the end of its proxy, and fills its pages.
drop index usage_records_by_proxy;
create index usage_records_by_proxy on usage_records (proxy_id, timestamp);
alter table request_logs alter column id set cache 100;
alter table usage_records alter column id set cache 100;
