-- True of usage by the lengths of texts, until its tokens are counted: who was killed meanwhile leaves it so.
alter table usage_records add column rough boolean;
