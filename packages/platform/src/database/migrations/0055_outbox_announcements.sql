-- Most records of the audit log leave nothing in the outbox: then nobody is woken.
create or replace function announce_outbox() returns trigger language plpgsql as $$
begin
  if exists (select from added) then
    perform pg_notify('outbox', '');
  end if;
  return null;
end $$;
drop trigger announce on outbox;
create trigger announce after insert on outbox referencing new table as added
  for each statement execute function announce_outbox();
