-- Texts of which an author says what the policy is to do with them. Apart from the policies: another sample is no other policy.
create table policy_samples (
  policy_id integer primary key references policies on delete cascade,
  samples jsonb not null,
  updated_at timestamptz not null default now(),
  updated_by text
);
