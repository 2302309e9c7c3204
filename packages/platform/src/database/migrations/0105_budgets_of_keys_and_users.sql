-- Budgets of API keys and of users, for a day or a month; those of user groups and the organization stand in their own rows.
create table budgets (
  id integer generated always as identity primary key,
  api_key_id integer references api_keys on delete cascade,
  user_id integer references users on delete cascade,
  period text not null check (period in ('day', 'month')),
  amount_micro_usd bigint not null check (amount_micro_usd >= 0),
  warning_threshold double precision not null default 0.8,
  block_at_threshold boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(api_key_id, user_id) = 1)
);
create unique index budgets_of_keys on budgets (api_key_id, period) where api_key_id is not null;
create unique index budgets_of_users on budgets (user_id, period) where user_id is not null;

-- What a budget has more until a moment; that of the organization where nobody is named.
create table budget_raises (
  id integer generated always as identity primary key,
  user_group_id integer references user_groups on delete cascade,
  api_key_id integer references api_keys on delete cascade,
  user_id integer references users on delete cascade,
  period text not null check (period in ('day', 'month')),
  amount_micro_usd bigint not null check (amount_micro_usd > 0),
  ends_at timestamptz not null,
  reason text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(user_group_id, api_key_id, user_id) <= 1)
);
create index budget_raises_by_end on budget_raises (ends_at);

create trigger config_lock before insert or update or delete on budgets
  for each statement execute function lock_config();
create trigger config_change after insert or update or delete on budgets
  for each row execute function record_config_change('id');
create trigger config_lock before insert or update or delete on budget_raises
  for each statement execute function lock_config();
create trigger config_change after insert or update or delete on budget_raises
  for each row execute function record_config_change('id');
