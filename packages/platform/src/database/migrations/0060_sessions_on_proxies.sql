-- Proxies take the tokens of sessions: who signed in, who they are and to which groups they belong is configuration.
create trigger config_lock before insert or update of token_id or delete on login_sessions
  for each statement execute function lock_config();
create trigger config_change after insert or update of token_id or delete on login_sessions
  for each row execute function record_config_change('id');

-- A login writes its time into the row of the user, which is none of the proxies' business.
create trigger config_lock
  before insert or update of username, email, role, active, must_change_password or delete on users
  for each statement execute function lock_config();
create trigger config_change
  after insert or update of username, email, role, active, must_change_password or delete on users
  for each row execute function record_config_change('id');

create trigger config_lock before insert or update or delete on user_group_members
  for each statement execute function lock_config();
create trigger config_change after insert or update or delete on user_group_members
  for each row execute function record_config_change('user_id');
