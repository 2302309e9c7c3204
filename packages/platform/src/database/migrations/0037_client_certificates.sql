-- The subject of the client certificate that stands for a group in place of a key, in one spelling; null: none.
alter table user_groups add column client_certificate_subject text unique;
