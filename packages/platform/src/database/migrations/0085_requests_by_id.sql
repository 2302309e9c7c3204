-- A request is found by its id. Ids that the gateway made begin with their time and are those of the record: only the ones that clients
-- chose need an index.
create index request_logs_by_given_id on request_logs (request_id) where request_id <> event_id::text;
create index agent_invocations_by_request on agent_invocations (request_id);
