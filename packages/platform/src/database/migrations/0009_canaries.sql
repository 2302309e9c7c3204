-- Canary tokens: what was planted, and what was seen in answers. -------------------------------

create table canaries (
  token text primary key,
  planted_at timestamptz not null,
  request_id text,
  proxy_id integer,
  principal text not null,
  session text not null,
  user_identity text,
  user_group text,
  -- made by an admin who tries the detection, and in no figure
  is_test boolean not null default false
);
create index canaries_by_time on canaries (planted_at);

create table canary_sightings (
  id bigint generated always as identity primary key,
  event_id uuid not null unique,
  seen_at timestamptz not null,
  request_id text not null,
  proxy_id integer not null,
  token text not null,
  principal text not null,
  session text not null,
  user_identity text,
  user_group text,
  source text not null,
  target text not null,
  -- null until somebody has looked: echo, a kind of leak, or unknown for a token that nobody planted
  meaning text check (meaning in ('echo', 'unknown', 'cross_user', 'cross_session', 'stale', 'memorization'))
);
create index canary_sightings_open on canary_sightings (id) where meaning is null;
create index canary_sightings_by_time on canary_sightings (seen_at desc, id desc);
create index canary_sightings_by_token on canary_sightings (token);
