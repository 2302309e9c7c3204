-- Endpoints that can be evaluated, and asked to judge answers.
create table guardrail_endpoints (
  id integer generated always as identity primary key,
  name text not null,
  description text not null default '',
  -- empty where a proxy of the gateway is meant
  url text not null,
  proxy_id integer references proxies on delete cascade,
  endpoint_path text not null,
  http_method text not null,
  auth_type text not null,
  api_key_header text not null,
  -- sealed: the API key and the custom headers
  credentials text,
  request_format text not null,
  model text not null,
  payload_template text not null,
  response_format text not null,
  response_jq_expr text not null,
  timeout_seconds integer not null,
  -- USD for a million tokens
  input_price double precision,
  output_price double precision,
  -- what the latest connection test came to
  last_test jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((url = '') = (proxy_id is not null))
);
-- Names that differ in case only are one name.
create unique index guardrail_endpoints_name_key_folded on guardrail_endpoints (lower(name));
create index guardrail_endpoints_by_proxy on guardrail_endpoints (proxy_id);
