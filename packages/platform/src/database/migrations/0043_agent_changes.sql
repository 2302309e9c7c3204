-- Agents and the access to them are configuration: who serves them takes changes over as proxies take theirs.
create trigger config_lock before insert or update or delete on agents
  for each statement execute function lock_config();
create trigger config_lock before insert or update or delete on agent_access
  for each statement execute function lock_config();

create trigger config_change after insert or update or delete on agents
  for each row execute function record_config_change('id');
create trigger config_change after insert or update or delete on agent_access
  for each row execute function record_config_change('id');
