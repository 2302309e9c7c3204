-- A provider that lets pass what it cannot judge says so, unless its owner wants it quiet.
alter table guardrail_providers alter column alert_on_failure set default true;

create index guardrail_checks_failed on guardrail_checks (provider_id, timestamp desc) where verdict = 'error';
