-- Who called with a login; null where a key or a certificate did.
alter table usage_records add column user_id integer;

-- Sums per UTC hour and person, counted in the transaction that inserts the records, beside those of the day. A person is who
-- signed in, or who answers for the key. An id of 0 stands for none.
create table hourly_usage (
  hour timestamptz not null,
  proxy_id integer not null,
  user_group_id integer not null,
  api_key_id integer not null,
  user_id integer not null,
  model text not null,
  requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  total_tokens bigint not null,
  cost_micro_usd bigint not null,
  primary key (hour, proxy_id, user_group_id, api_key_id, user_id, model)
);
create index hourly_usage_by_user on hourly_usage (user_id, hour) where user_id > 0;
create index hourly_usage_by_key on hourly_usage (api_key_id, hour);

insert into hourly_usage
select date_bin('1 hour', timestamp, '2000-01-01T00:00:00Z'), proxy_id, coalesce(usage_records.user_group_id, 0),
  coalesce(api_key_id, 0), coalesce(api_keys.owner_id, 0), model, count(*), sum(input_tokens), sum(output_tokens),
  sum(total_tokens), sum(cost_micro_usd)
from usage_records left join api_keys on api_keys.id = api_key_id
where timestamp > now() - interval '31 days' group by 1, 2, 3, 4, 5, 6;
