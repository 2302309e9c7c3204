-- What a provider says that a request cost, beside what our prices come to.
alter table usage_records add column stated_cost_micro_usd bigint;
