-- A session of a browser has a cookie in place of a token. The server replaces it; the one before counts until the new one has come back.
alter table login_sessions
  add column cookie_id uuid,
  add column previous_cookie_id uuid,
  add column cookie_confirmed_at timestamptz;
