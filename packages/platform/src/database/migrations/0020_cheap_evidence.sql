-- One index of request logs instead of two: it finds those of a proxy as well, and event ids never change their proxy.
drop index request_logs_by_proxy;
alter table request_logs drop constraint request_logs_pkey;
alter table request_logs add primary key (proxy_id, timestamp, event_id);
