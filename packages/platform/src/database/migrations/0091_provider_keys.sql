-- Where the keys are that sign the id tokens of a provider given by its addresses; null: its id tokens are not read.
alter table oauth_providers add column jwks_url text;
