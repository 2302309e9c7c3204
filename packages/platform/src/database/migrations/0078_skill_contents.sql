-- What was submitted under a name and version: a row for each content, so that what was approved stays approved beside
-- what came in later. The row of the registry shows one of them.
create table skill_contents (
  id integer generated always as identity primary key,
  skill_id integer not null references skills on delete cascade,
  -- of the source; of a package without SKILL.md, of its files
  content_hash text not null,
  -- of the files; null for a source alone
  tree_hash text,
  description text not null,
  author text not null,
  tags text[] not null,
  -- pending, approved, rejected, quarantined
  status text not null,
  rules_version text not null,
  risk_score integer not null,
  risk_level text not null,
  findings_count integer not null,
  categories text[] not null,
  reviewer text,
  review_notes text,
  reviewed_at timestamptz,
  approved_at timestamptz,
  submitted_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create unique index skill_contents_of_skill on skill_contents (skill_id, content_hash, coalesce(tree_hash, ''));
create index skill_contents_by_content on skill_contents (content_hash);
create index skill_contents_by_tree on skill_contents (tree_hash);
create index skill_contents_approved on skill_contents (skill_id, approved_at desc) where status = 'approved';

insert into skill_contents (skill_id, content_hash, tree_hash, description, author, tags, status, rules_version, risk_score,
  risk_level, findings_count, categories, reviewer, review_notes, reviewed_at, approved_at, submitted_at, created_at)
select id, content_hash, tree_hash, description, author, tags, status, rules_version, risk_score,
  risk_level, findings_count, categories,
  case when status <> 'pending' then reviewer end, case when status <> 'pending' then review_notes end,
  case when status <> 'pending' then reviewed_at end, case when status = 'approved' then approved_at end,
  submitted_at, created_at
from skills;

-- What was approved before something else came in. Of its texts nothing is known: they went with the change.
insert into skill_contents (skill_id, content_hash, tree_hash, description, author, tags, status, rules_version, risk_score,
  risk_level, findings_count, categories, reviewer, review_notes, reviewed_at, approved_at, submitted_at, created_at)
select s.id, s.approved_hash, s.approved_tree_hash, '', '', '{}', 'approved', s.approved_rules_version,
  coalesce(s.approved_risk_score, 0), coalesce(a.risk_level, 'None'),
  coalesce(jsonb_array_length(a.assessment->'findings'), 0), '{}',
  s.reviewer, s.review_notes, s.approved_at, s.approved_at, s.approved_at, s.created_at
from skills s
left join skill_assessments a
  on a.content_hash = coalesce(s.approved_tree_hash, s.approved_hash) and a.rules_version = s.approved_rules_version
where s.status = 'pending' and s.approved_hash is not null and s.approved_at is not null
  and s.approved_rules_version is not null
  and (s.approved_hash <> s.content_hash or s.approved_tree_hash is distinct from s.tree_hash);
