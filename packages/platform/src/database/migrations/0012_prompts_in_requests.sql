-- The system prompts that a request got, and those that it was to get and did not: JSON lists of ids,
-- null for nearly all. They are counted in the statement that inserts the log.
alter table request_logs add column injected_prompts jsonb;
alter table request_logs add column skipped_prompts jsonb;
