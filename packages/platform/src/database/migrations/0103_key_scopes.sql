-- What a key may use of what its user group may: names, of which the last character may be *. Null is everything.
alter table api_keys add column allowed_models text[];
alter table api_keys add column allowed_tools text[];
alter table api_keys add column allowed_agents text[];
