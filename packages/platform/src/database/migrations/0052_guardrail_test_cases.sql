-- Cases of evaluations: the built-in ones, and those of users.
create table guardrail_test_cases (
  id integer generated always as identity primary key,
  test_id text not null,
  name text not null,
  category text not null,
  severity text not null,
  enabled boolean not null default true,
  builtin boolean not null default false,
  -- the whole case; whether it is enabled stands in the column
  document jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Ids that differ in case only are one id.
create unique index guardrail_test_cases_test_id_key_folded on guardrail_test_cases (lower(test_id));
create index guardrail_test_cases_by_category on guardrail_test_cases (category);
