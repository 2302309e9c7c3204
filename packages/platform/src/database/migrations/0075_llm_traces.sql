-- Requests to models whose traces are to be sent to the LLM observability service. Filled with the request logs while that integration is
-- switched on, and emptied as it takes the traces.
create table llm_trace_queue (
  id bigint generated always as identity primary key,
  -- The row in `request_logs`.
  event_id uuid not null,
  timestamp timestamptz not null,
  queued_at timestamptz not null default now()
);

-- What came of the last posts, for the list of integrations. One row.
create table llm_trace_state (
  is_only boolean primary key default true check (is_only),
  last_delivery_at timestamptz,
  last_error text,
  updated_at timestamptz not null default now()
);
