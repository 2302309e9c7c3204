-- Proxies whose newest configuration a runtime does not have in force yet, since their policies are being compiled:
-- changes that concern others need not wait for that.
alter table runtime_revisions add column behind integer[] not null default '{}';
