-- Who works on an alert, what people say of it, and why its status was changed.
alter table alerts add column assignee_id integer references users on delete set null;
create index alerts_by_assignee on alerts (assignee_id, created_at desc, id desc)
  include (severity, status, category, action, proxy_type, proxy_id, policy_name, deleted_at) where assignee_id is not null;

alter table alert_events drop constraint alert_events_event_check;
alter table alert_events add constraint alert_events_event_check check (event in ('status', 'deleted', 'assignee', 'note'));
-- The text of a note, or the reason of a change.
alter table alert_events add column note text check (char_length(note) <= 2000);
-- The name of who was assigned; null: nobody any more.
alter table alert_events add column assignee text;
