-- card_labels: what each card is called in a language; where the logs have no name in it, the English one, else any.
-- Grain: one row a game (of the list of games) and card. Unit: card. Definition version: m2.
select game, code, arg_min(name, (language <> $language, language <> 'en', language)) as name
from card_names group by game, code
