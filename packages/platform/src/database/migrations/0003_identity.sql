-- Users and their logins -----------------------------------------------------------------------

alter table users
  add column must_change_password boolean not null default false,
  add column last_login_at timestamptz;
-- Names that differ in case only are one name.
create unique index users_username_key_folded on users (lower(username));
create unique index users_email_key_folded on users (lower(email));

-- One row per login, for as long as it lasts. A token counts while its row is there and names it.
create table login_sessions (
  id uuid primary key,
  user_id integer not null references users on delete cascade,
  -- jti of the one token of the session that counts, and of the one before it
  token_id uuid not null,
  previous_token_id uuid,
  refreshed_at timestamptz,
  -- until then the token can be exchanged for a fresh one
  expires_at timestamptz not null,
  -- until then at most, however often it is refreshed
  ends_at timestamptz not null
);
create index login_sessions_by_user on login_sessions (user_id);
create index login_sessions_by_expiry on login_sessions (expires_at);

-- Addresses from which a user has signed in: guessing from elsewhere does not slow them down.
create table login_addresses (
  user_id integer not null references users on delete cascade,
  address text not null,
  last_login_at timestamptz not null default now(),
  primary key (user_id, address)
);

create table user_group_members (
  user_group_id integer not null references user_groups on delete cascade,
  user_id integer not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_group_id, user_id)
);
create index user_group_members_by_user on user_group_members (user_id);
