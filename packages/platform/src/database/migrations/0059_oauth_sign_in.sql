-- Users who came with an identity provider, and who may come.

-- A user of this role uses the proxies and agents of their groups, and reads nothing of the management API but themselves.
alter table users drop constraint users_role_check;
alter table users add check (role in ('user', 'viewer', 'operator', 'admin'));

-- Users as providers know them: from the first login on by what the provider calls them, whatever becomes of addresses.
create table user_identities (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- id of the provider, or env: and its name for one of the environment
  provider_key text not null,
  provider_id integer references oauth_providers on delete cascade,
  provider_name text not null,
  issuer text not null,
  subject text not null,
  -- as the provider verified it at the latest login
  email text not null,
  name text,
  last_login_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (provider_key, issuer, subject)
);
create index user_identities_by_user on user_identities (user_id);
create index user_identities_by_provider on user_identities (provider_id);

-- Who becomes a user at their first login, with which role and in which group.
create table oauth_rules (
  id integer generated always as identity primary key,
  rule_type text not null check (rule_type in ('email_domain', 'email_pattern', 'org_domain', 'provider')),
  rule_value text not null,
  -- null: with any provider
  provider_id integer references oauth_providers on delete cascade,
  -- null: in none
  user_group_id integer references user_groups on delete cascade,
  user_role text not null default 'user' check (user_role in ('user', 'viewer', 'operator', 'admin')),
  -- the highest decides the role
  priority integer not null default 0 check (priority between 0 and 1000),
  active boolean not null default true,
  description text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index oauth_rules_by_provider on oauth_rules (provider_id);
create index oauth_rules_by_group on oauth_rules (user_group_id);

-- Where a session began, for those who look at the list of them. A session ends with its provider.
alter table login_sessions
  add column created_at timestamptz not null default now(),
  add column provider_id integer references oauth_providers on delete cascade,
  -- null: with a password
  add column provider_name text,
  add column client_ip text,
  add column user_agent text;
create index login_sessions_by_provider on login_sessions (provider_id);
