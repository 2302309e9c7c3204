-- What was asked and answered, for traces that wait, while an admin wants it in them: redacted, cut to size and sealed.
alter table llm_trace_queue add column content text;
-- It comes a moment after its trace.
create index llm_trace_queue_event_id on llm_trace_queue (event_id);
