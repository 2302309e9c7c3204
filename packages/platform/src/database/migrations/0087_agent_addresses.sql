alter table agents
  -- where the card is read, instead of at the well-known paths below the base URL
  add column card_url text,
  -- what is called, whatever addresses the card names
  add column target_url text;
