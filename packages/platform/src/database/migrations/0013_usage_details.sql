-- Parts of the tokens that providers sell at other prices, and whether the model had a price at all.
-- Null: recorded before they were told apart.
alter table usage_records add column cached_input_tokens bigint;
alter table usage_records add column cache_write_tokens bigint;
alter table usage_records add column reasoning_tokens bigint;
alter table usage_records add column priced boolean;
