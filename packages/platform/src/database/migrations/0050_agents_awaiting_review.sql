-- Its card looked dangerous when the agent was registered: callers do not read it before an admin has set its status.
alter table agents add column awaits_review boolean not null default false;
