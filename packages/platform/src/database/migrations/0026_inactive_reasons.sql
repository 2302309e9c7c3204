-- Why the gateway switched a stored policy off that it cannot run; null for all others.
alter table policies add column inactive_reason text;
