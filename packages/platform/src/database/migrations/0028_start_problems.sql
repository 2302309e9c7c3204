-- Why the last start of a proxy failed; null once it is to run again, was stopped or was changed.
alter table proxies add column start_problem text;
