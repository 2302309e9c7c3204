-- A provider's word about an address makes its user one who reads the management API only where an admin says so of the provider.
alter table oauth_providers add column links_management_users boolean not null default false;
