-- Evaluations of endpoints and of guardrail providers.
create table guardrail_evaluations (
  id integer generated always as identity primary key,
  name text not null,
  -- one of them; it stays when what it names is deleted, as the name does
  endpoint_id integer,
  guardrail_provider_id integer,
  target_name text not null,
  -- an endpoint whose model judges beside the rules
  judge_endpoint_id integer,
  -- empty for all
  categories text[] not null,
  concurrency integer not null check (concurrency between 1 and 10),
  delay_ms integer not null,
  -- decides what is planted
  seed text not null,
  suite_version text not null,
  total_tests integer not null,
  estimate jsonb not null,
  status text not null default 'running' check (status in ('running', 'completed', 'failed', 'cancelled')),
  cancel_requested_at timestamptz,
  -- why it failed
  reason text,
  -- what lists and trends show of its end; made anew with every review
  scores jsonb,
  started_by text not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- who runs it: only the holder of the token writes, and only until that time
  lease_token uuid,
  lease_until timestamptz,
  -- how often it was put into the queue, and when last
  turn integer not null default 0,
  queued_at timestamptz,
  check ((endpoint_id is null) <> (guardrail_provider_id is null))
);
create index guardrail_evaluations_running on guardrail_evaluations (id) where status = 'running';
create index guardrail_evaluations_by_endpoint on guardrail_evaluations (endpoint_id, id);
create index guardrail_evaluations_by_provider on guardrail_evaluations (guardrail_provider_id, id);

-- A row for each case of an evaluation from its start on, so that none can be run or counted twice.
create table guardrail_results (
  id bigint generated always as identity primary key,
  evaluation_id integer not null references guardrail_evaluations on delete cascade,
  position integer not null,
  test_id text not null,
  -- the whole case as it was at the start
  document jsonb not null,
  -- how often it was begun: again where a process died with it in hand
  attempts integer not null default 0,
  -- of a conversation under way: what was answered, so that nothing is asked twice
  answers jsonb,
  -- null until it is judged
  outcome text check (outcome in ('passed', 'failed', 'inconclusive', 'error')),
  verdict text,
  detection text,
  detection_match boolean,
  reason text,
  evidence jsonb,
  blocked_at_turn integer,
  model_verdict jsonb,
  status_code integer,
  response_time_ms double precision,
  prompt text,
  response text,
  finished_at timestamptz,
  is_false_positive boolean not null default false,
  false_positive_notes text not null default '',
  reviewed_by text,
  reviewed_at timestamptz,
  unique (evaluation_id, test_id)
);
create index guardrail_results_by_evaluation on guardrail_results (evaluation_id, position);
