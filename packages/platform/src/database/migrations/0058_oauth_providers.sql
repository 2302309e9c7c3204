-- Identity providers: users sign in with them, and the OAuth proxy sends the users of MCP clients there.
create table oauth_providers (
  id integer generated always as identity primary key,
  name text not null,
  provider_type text not null,
  client_id text not null,
  -- sealed, with the host that it was given for; null for a public client
  client_secret text,
  -- OpenID Connect, or the address of GitHub; null where the three addresses of plain OAuth 2 are given
  issuer text,
  auth_url text,
  token_url text,
  userinfo_url text,
  scopes jsonb not null,
  -- where the provider sends browsers back to; null: the callback with the name of the provider
  redirect_uri text,
  -- Entra tenants whose users may sign in
  tenants jsonb not null default '[]',
  trusts_email boolean not null default false,
  sign_in boolean not null default true,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (issuer is not null or (auth_url is not null and token_url is not null and userinfo_url is not null))
);
-- Names that differ in case only are one name.
create unique index oauth_providers_name_key_folded on oauth_providers (lower(name));

create trigger config_lock before insert or update or delete on oauth_providers
  for each statement execute function lock_config();
create trigger config_change after insert or update or delete on oauth_providers
  for each row execute function record_config_change('id');
