-- A search through alerts of one severity and category, say, finds them in an index alone, however few
-- there are: conditions on columns that an index does not carry would have it read every row.
drop index alerts_by_kind, alerts_by_category;
create index alerts_by_kind on alerts (severity, status, created_at desc, id desc)
  include (category, action, proxy_type) where deleted_at is null;
create index alerts_by_category on alerts (category, created_at desc, id desc)
  include (severity, status, action, proxy_type) where deleted_at is null;
