-- Texts that were submitted as skills, by the SHA-256 of their bytes; submissions and registry share them.
create table skill_sources (
  hash text primary key,
  source text not null,
  -- bytes
  size integer not null,
  created_at timestamptz not null default now()
);

-- What the scanner says of a source, or of the files of a package, by the SHA-256 of either and the rules it was judged by.
create table skill_assessments (
  content_hash text not null,
  rules_version text not null,
  risk_score integer not null,
  risk_level text not null,
  -- findings, abilities, and what could not be read
  assessment jsonb not null,
  -- how long the scan took
  duration_ms double precision not null,
  created_at timestamptz not null default now(),
  primary key (content_hash, rules_version)
);

-- The registry: one row for each name and version, with what was submitted last.
create table skills (
  id integer generated always as identity primary key,
  name text not null,
  version text not null,
  description text not null,
  author text not null,
  tags text[] not null,
  -- pending, approved, rejected, quarantined
  status text not null,
  -- of the source; of a package without SKILL.md, of its files
  content_hash text not null,
  -- of the files, where they were uploaded; null for a skill that is known by its source only
  tree_hash text,
  rules_version text not null,
  risk_score integer not null,
  risk_level text not null,
  findings_count integer not null,
  -- of the findings
  categories text[] not null,
  submissions_count integer not null default 0,
  -- the gateway's own: nothing changes it
  built_in boolean not null default false,
  -- what an admin approved last, also when something else came after it
  approved_hash text,
  approved_tree_hash text,
  approved_rules_version text,
  approved_risk_score integer,
  approved_at timestamptz,
  reviewer text,
  review_notes text,
  reviewed_at timestamptz,
  submitted_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (name, version)
);
create index skills_listed on skills (submitted_at desc, id desc);
create index skills_by_status on skills (status, submitted_at desc, id desc);
create index skills_by_content on skills (content_hash);

create table skill_submissions (
  id bigint generated always as identity primary key,
  skill_id integer not null references skills on delete cascade,
  skill_name text not null,
  version text not null,
  -- as the agent calls itself
  agent_name text not null,
  -- login or API key that came with it; null without one
  user_identity text,
  source_ip text not null,
  -- mcp or rest
  via text not null,
  content_hash text not null,
  tree_hash text,
  rules_version text not null,
  risk_score integer not null,
  risk_level text not null,
  findings_count integer not null,
  -- analyzed or linked_to_approved
  status text not null,
  created_at timestamptz not null default now()
);
create index skill_submissions_listed on skill_submissions (created_at desc, id desc);
create index skill_submissions_of_skill on skill_submissions (skill_id, id desc);
create index skill_submissions_by_agent on skill_submissions (agent_name, created_at);

-- What agents say that a skill did while it ran.
create table skill_reports (
  id bigint generated always as identity primary key,
  skill_name text not null,
  version text,
  activity_type text not null,
  severity text not null,
  agent_name text not null,
  user_identity text,
  source_ip text not null,
  via text not null,
  description text not null,
  evidence text not null,
  alert_created boolean not null,
  -- the report made the registry hold the skill back
  quarantined boolean not null,
  created_at timestamptz not null default now()
);
create index skill_reports_listed on skill_reports (created_at desc, id desc);
create index skill_reports_of_skill on skill_reports (skill_name, activity_type, created_at desc);

create table skill_packages (
  id integer generated always as identity primary key,
  skill_id integer not null references skills on delete cascade,
  file_name text not null,
  -- bytes of the ZIP that is served
  size integer not null,
  -- of that ZIP
  sha256 text not null,
  -- of the files in it
  tree_hash text not null,
  -- [{path, size, sha256}]
  files jsonb not null,
  -- it has a skill.json
  has_manifest boolean not null,
  download_count integer not null default 0,
  uploaded_by text not null,
  created_at timestamptz not null default now(),
  unique (skill_id, tree_hash)
);
create index skill_packages_listed on skill_packages (created_at desc, id desc);
create index skill_packages_by_content on skill_packages (sha256);

-- The bytes of packages beside the files on disk, for processes that have another disk, and for a file that got lost.
create table skill_archives (
  sha256 text primary key,
  content bytea not null,
  created_at timestamptz not null default now()
);
