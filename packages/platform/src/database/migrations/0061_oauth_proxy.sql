-- The OAuth proxy in gateway mode: an authorization server for each MCP proxy that has one.

-- Keys that sign access tokens. Proxies check the tokens by the public halves, which are configuration.
create table oauth_signing_keys (
  id integer generated always as identity primary key,
  kid text not null unique,
  -- JWK
  public_key jsonb not null,
  -- sealed
  private_key text not null,
  created_at timestamptz not null default now(),
  -- from then on it signs nothing, and is published until the last token that it signed has ended
  retired_at timestamptz
);
-- One signs at a time.
create unique index oauth_signing_keys_current on oauth_signing_keys ((true)) where retired_at is null;
create trigger config_lock before insert or update of kid, public_key, retired_at or delete on oauth_signing_keys
  for each statement execute function lock_config();
create trigger config_change after insert or update of kid, public_key, retired_at or delete on oauth_signing_keys
  for each row execute function record_config_change('id');

-- MCP clients that registered with a proxy, and those that are known by the document at their id.
create table oauth_proxy_clients (
  id integer generated always as identity primary key,
  proxy_id integer not null references proxies on delete cascade,
  client_id text not null,
  kind text not null check (kind in ('registered', 'document')),
  name text not null,
  -- SHA-256, hex; null for a public client
  secret_hash text,
  auth_method text not null,
  redirect_uris jsonb not null,
  client_uri text,
  created_at timestamptz not null default now(),
  -- of a document: when it was read
  read_at timestamptz not null default now(),
  -- when a user last finished an authorization of it
  used_at timestamptz,
  unique (proxy_id, client_id)
);
create index oauth_proxy_clients_unused on oauth_proxy_clients (created_at) where used_at is null;

-- Codes under way to their clients: good for a minute, kept for a day so that a second use is noticed.
create table oauth_proxy_codes (
  id integer generated always as identity primary key,
  code_hash text not null unique,
  client_row_id integer not null references oauth_proxy_clients on delete cascade,
  user_id integer not null references users on delete cascade,
  provider_id integer not null references oauth_providers on delete cascade,
  redirect_uri text not null,
  code_challenge text not null,
  scope text not null,
  -- what the provider gave, sealed; null once the code is used
  tokens text,
  expires_at timestamptz not null,
  used_at timestamptz,
  grant_id integer
);
create index oauth_proxy_codes_expires_at on oauth_proxy_codes (expires_at);

-- What a user granted a client: as long as the row is there its access tokens count.
create table oauth_grants (
  id integer generated always as identity primary key,
  proxy_id integer not null references proxies on delete cascade,
  client_row_id integer not null references oauth_proxy_clients on delete cascade,
  user_id integer not null references users on delete cascade,
  provider_id integer not null references oauth_providers on delete cascade,
  scope text not null,
  -- of the provider, sealed
  access_token text not null,
  refresh_token text,
  -- when the provider's access token ends; null where it does not say
  provider_expires_at timestamptz,
  -- one process at a time asks the provider for the next token
  refreshing_until timestamptz,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index oauth_grants_client on oauth_grants (client_row_id);
create index oauth_grants_user on oauth_grants (user_id);
create index oauth_grants_proxy on oauth_grants (proxy_id);
create index oauth_grants_expires_at on oauth_grants (expires_at);
create trigger config_lock before insert or update of access_token or delete on oauth_grants
  for each statement execute function lock_config();
create trigger config_change after insert or update of access_token or delete on oauth_grants
  for each row execute function record_config_change('id');

-- Each is good once; one that comes again ends its grant.
create table oauth_refresh_tokens (
  id integer generated always as identity primary key,
  token_hash text not null unique,
  grant_id integer not null references oauth_grants on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index oauth_refresh_tokens_grant on oauth_refresh_tokens (grant_id);
