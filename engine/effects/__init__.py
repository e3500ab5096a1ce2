"""The effect language: what the abilities of cards may say, as data, and what that means.

Atoms, not sentences: an effect is a list of instructions over slots (named lists of chosen cards). `kinds` has one
module for each kind of instruction: its struct, how it runs, what the linter says of it, its rules text. To add a
kind is to add a module there, and its words. The golden rule of all games: what a card says wins.

From low to high: `language` (what instructions are made of), `protocols`, `vocabulary` < `query` (what that means at a
table), `linter`, `hidden_information`, `writer` < `instruction` < `steps`, `gift` < `kinds` < `abilities`. Nothing here
imports the core, which carries effects out: `protocols` says what effects need of a match.
"""
