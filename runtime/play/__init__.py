"""A game in play, for whoever hosts it: decisions, views, log, saves, replays, why-not."""
