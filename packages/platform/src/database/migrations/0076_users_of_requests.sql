-- Who called, where that was a person: a user who had signed in, or a client that a user let in.
alter table request_logs add column user_id integer;
create index request_logs_by_user on request_logs (timestamp desc, user_id) where user_id is not null;
