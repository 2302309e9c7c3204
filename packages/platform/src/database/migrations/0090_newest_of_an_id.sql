-- A client may give one id to any number of requests: the newest of them come out of the index, the others are not read.
drop index request_logs_by_given_id;
create index request_logs_by_given_id on request_logs (request_id, timestamp desc, event_id desc)
  where request_id <> event_id::text;
drop index agent_invocations_by_request;
create index agent_invocations_by_request on agent_invocations (request_id, timestamp desc, id desc);
