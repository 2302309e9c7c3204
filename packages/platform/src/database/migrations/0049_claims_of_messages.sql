-- Until when a message without a task counts as being worked on: the hub that has it says so again and again. What came of
-- it is not known once that is over, since the hub has ended.
alter table agent_messages add column claimed_until timestamptz;
