-- Addresses that a browser opens without a header, once and within a minute, in the name of the session that asked for them.
create table download_links (
  token_hash text primary key,
  session_id uuid not null references login_sessions (id) on delete cascade,
  target text not null,
  expires_at timestamptz not null
);
create index download_links_by_session on download_links (session_id);
create index download_links_by_expiry on download_links (expires_at);
