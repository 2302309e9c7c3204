-- What was found in shadow mode, and the alerts of one request.
create index alerts_in_shadow on alerts (created_at desc, id desc)
  include (severity, status, category, action, proxy_type, proxy_id, policy_name, rule_id)
  where deleted_at is null and (raw_data ->> 'shadow') = 'true';
create index alerts_by_request on alerts (request_id, created_at desc) where deleted_at is null;
