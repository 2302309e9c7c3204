-- Each service that carries traffic has the configuration in force at its own pace, also where several are one process.
alter table runtime_revisions add column service text not null default 'proxy-runtime';
alter table runtime_revisions alter column service drop default;
alter table runtime_revisions drop constraint runtime_revisions_pkey, add primary key (instance_id, service);
