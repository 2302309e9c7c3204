-- Who a content came from, as far as shares and budgets tell callers apart: user:ID, key:ID, or address: and a network.
-- Null for what came before, which counts as from someone who is known.
alter table skill_contents add column submitted_by text;
create index skill_contents_of_strangers on skill_contents (submitted_at)
  where status = 'pending' and reviewed_at is null and submitted_by like 'address:%';
alter table skill_reports add column reported_by text;

-- What the scanner says of name, description and author, which were given beside the content: by the SHA-256 of these texts.
alter table skill_contents add column facts_hash text;
alter table skills add column facts_hash text;
alter table skill_submissions add column facts_hash text;
create index skill_contents_by_facts on skill_contents (facts_hash) where facts_hash is not null;
create index skill_submissions_by_facts on skill_submissions (facts_hash) where facts_hash is not null;
