-- Whether a runtime still calls the target of a proxy, and why not.
alter table proxy_states
  add column target_state text not null default 'closed' check (target_state in ('closed', 'half_open', 'open')),
  add column target_problem text;

-- Why the target failed: what the connection, the name server or the clock said.
alter table request_logs add column target_problem text;
