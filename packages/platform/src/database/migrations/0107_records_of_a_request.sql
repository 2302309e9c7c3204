-- What was done for one request, in a log of any length.
create index audit_log_by_request on audit_log (request_id, id desc) where request_id is not null;
