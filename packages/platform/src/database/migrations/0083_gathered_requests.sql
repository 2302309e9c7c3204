-- How many requests an entry stands for: those of strangers that are refused again and again are gathered.
alter table request_logs add column requests integer not null default 1;
