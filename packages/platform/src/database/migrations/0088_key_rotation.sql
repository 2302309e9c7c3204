-- Who answers for a key, and which key took the place of which.
alter table api_keys add column owner_id integer references users on delete set null;
alter table api_keys add column rotated_from integer references api_keys on delete set null;
create index api_keys_by_owner on api_keys (owner_id) where owner_id is not null;
create unique index api_keys_by_rotation on api_keys (rotated_from) where rotated_from is not null;
