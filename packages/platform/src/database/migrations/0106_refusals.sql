-- What was refused, in a log of any length of which most passed.
create index request_logs_refused on request_logs (timestamp desc)
  where denied_reason is not null and target_problem is null;
