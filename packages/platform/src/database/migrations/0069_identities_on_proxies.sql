-- Proxies that forward the tokens of a provider know by them which user calls: what a provider calls its users is
-- configuration. A login that only writes its time into the row is none of the proxies' business.
create trigger config_lock before insert or update of user_id or delete on user_identities
  for each statement execute function lock_config();
create trigger config_change after insert or update of user_id or delete on user_identities
  for each row execute function record_config_change('id');
