"""The numbers that tune the checks of texts, translations, audits and books, each with its meaning.

Grouped by the module that reads them. A *rate* is the share of places in which something happens anyhow; a *surprise*
or a *doubt* is the negative logarithm of a likelihood. How good the settings are can be measured: `python -m
tests.l10n.measure PACKAGE --lang L` sows slips into texts and counts what is found, and what is reported in clean
strings; `tests/l10n/printed.py` does the same with printed books. docs/how-to/localise.md has the results for the
values here. Whoever changes one measures again.
"""

from __future__ import annotations

from typing import Final

# --- Which statement of a printed book is which clause of ours (audit/align.py)
ALIGN_SAME_NUMBER: Final = 0.22  # what the same clause number adds to the likeness (0 to 1) of two statements
ALIGN_SAME_PLACE: Final = 0.08  # what standing at the same place of an entry adds; half of it for the first of a list
ALIGN_UNLIKE: Final = 0.10  # statements less alike than this have nothing to do with each other
ALIGN_LIKE: Final = 0.30  # statements more alike than this may be paired although their numbers differ

# --- Terms that a statement of the book lacks, or has instead of ours; rates are shares of the places where the book
#     does so anyhow (audit/compare.py)
COMPARE_SELDOM: Final = 0.16  # the highest rate at which a term with firm rivals is still reported
COMPARE_OTHER: Final = 0.5  # statements of one wording that are less alike than this are different statements
COMPARE_NEVER: Final = 0.03  # a term missing at a lower rate than this is reported even without a rival
COMPARE_TIGHT: Final = 0.5  # the highest rate for either of two terms of one small class
COMPARE_RIVAL: Final = 0.45  # the highest rate of the two terms of a mix-up together
COMPARE_LOOSE: Final = 0.30  # the highest rate for either of two terms that are only loosely related
COMPARE_SEEN: Final = 2  # places that make a habit of the book
COMPARE_ROOT: Final = 5  # letters that words of one root have in common
COMPARE_EVERYWHERE: Final = 0.1  # a term in a larger share of the statements tells little where it is missing
COMPARE_NEAR: Final = 3  # words between a noun and what narrows it

# --- Terms that may be taken for each other (audit/confusable_terms.py)
CONFUSABLE_TIGHT: Final = 2  # members of a class that is small enough for its members to be confused

# --- Sentences that the book leaves out (audit/omissions.py)
# logarithm of the likelihood that a sentence is there in other words, below which it is reported
OMISSION_SURE: Final = -3.0
OMISSION_THERE: Final = 1.8  # what one word that is there weighs against that
OMISSION_USUAL: Final = 0.5  # rate at which a word is replaced by another where nothing is known of it
OMISSION_LEAST: Final = 0.12  # the lowest rate: no word by itself is sure
OMISSION_SHORT: Final = 3  # letters of the shortest word that is looked at

# --- Opposites (all and one, before and after) and notions that the book turns round (audit/opposites.py)
# a term missing, or added, in no larger share of its places is a habit kept to: a breach is reported
OPPOSITE_RARE: Final = 0.12
OPPOSITE_FEWEST: Final = 2  # places that may differ in a group of opposites whatever their share
OPPOSITE_OPPOSED: Final = 0.2  # a group of opposites in which a larger share of the places differs says little
OPPOSITE_NOTED: Final = 4  # places that make a habit of a notion
OPPOSITE_NOTION: Final = 0.25  # the highest rate at which a notion may be missing elsewhere
OPPOSITE_VERB: Final = 0.08  # the same for verbs, which have more forms than are known
OPPOSITE_QUOTED: Final = 3  # words of a name in quotes

# --- The parts of a printed book (audit/printed.py)
PRINTED_SHORT: Final = 80  # letters of a line that may be a title
PRINTED_MANY: Final = 6  # so many references in a row are an index

# --- Whether a book is of this game and in this language (audit/run.py)
AUDIT_QUOTE: Final = 200  # characters of a quotation in a report for people
AUDIT_FEW: Final = 3  # statements, and letters of a word, below which nothing is told
AUDIT_MANY: Final = 12  # words by which a language can be told
AUDIT_SURE: Final = 2.0  # how many times more words of another language a text has that is in it
AUDIT_STRANGE: Final = 0.25  # of the statements of another game a smaller share is like ours

# --- Lines that stand on every page of a scan (audit/scan.py)
SCAN_OFTEN: Final = 4  # so often such a line comes back
SCAN_WORDS: Final = 7  # it has no more words
SCAN_APART: Final = 8  # lines between two of them, or more

# --- Slips of spelling (audit/spelling.py)
SPELLING_LONG: Final = 5  # letters of a stem in which one slip can be told from another word

# --- What a statement says: terms, verbs, things (audit/statement_facts.py)
FACTS_ROOT: Final = 4  # letters that the forms of a verb begin with
FACTS_STEM: Final = 8  # letters of a stem that are looked at
FACTS_MOST: Final = 12  # things of a kind that are told from each other by their names in the rules
FACTS_FEW: Final = 2  # words beside a noun that make a term of it
FACTS_SHORT: Final = 3  # letters that a word keeps without its ending

# --- How a book says things in general (audit/statements.py)
STATEMENT_UNKNOWN: Final = 0.14  # the rate taken for a term that stands nowhere else
# how much alike half of the statements are in a book that was set from the texts of the package
STATEMENT_OWN: Final = 0.9

# --- Titles of entries (audit/topics.py)
TOPIC_ALIKE: Final = 0.8  # how much alike two titles are of which one has a slip

# --- One book compared with that of another language (audit/two_editions.py)
EDITIONS_RARE: Final = 0.12  # a term added at a lower rate than this is reported
# what one book leaves out where the other has it, in a larger share of the places, is a matter of style
EDITIONS_OFTEN: Final = 0.35
EDITIONS_SELDOM: Final = 0.06  # the same for a term that tells little
EDITIONS_SEEN: Final = 2  # places that make a habit

# --- Who acts (audit/unexpected_actors.py)
ACTOR_ADDED: Final = 0.1  # how usual it may be that the book names somebody where we do not
ACTOR_BEFORE: Final = 4  # statements before this one in which somebody may have been named
ACTOR_INSTEAD: Final = 0.25  # how usual it may be that the book says `player` for somebody

# --- Words of the book that the package does not have (audit/unknown_words.py)
UNKNOWN_EVERYWHERE: Final = 0.15  # what stands in a larger share of the statements is often understood
# a word that comes more often than this is one of the book; also how many letters a slip changes
UNKNOWN_ONCE: Final = 2
UNKNOWN_HABIT: Final = 0.25  # the highest rate at which a noun may be missing elsewhere
UNKNOWN_SURE: Final = 0.08  # the highest rate where the new word resembles nothing of ours
UNKNOWN_LONG: Final = 4  # letters of a word that is too short to be looked at

# --- The index of a book (edition/book_content.py)
INDEX_MANY: Final = 24  # numbers behind a subject; of more, the entries alone are listed
INDEX_RUN: Final = 3  # so many clauses that follow one another are a range

# --- Related topics of an entry; fitted to the lists of two printed books, which an editor has chosen by hand
#     (edition/links.py)
RELATED_SHORT_STEM: Final = 2  # letters that a word must keep without its ending
RELATED_MARK: Final = 2.0  # what a mark in common counts beside speaking of each other
RELATED_BACK: Final = 0.3  # what being spoken of counts beside speaking of
RELATED_LEAST: Final = 1.2  # less than this is no relation
RELATED_TOPICS: Final = 3  # so many topics an entry has
RELATED_CLAUSES: Final = 6  # and one more for so many clauses

# --- Books for print (edition/print.py)
PRINT_LONG: Final = 2500  # letters of a card that may go on in the next column
PRINT_SHORT: Final = 12_000  # letters of the source of a part that may end on its first page

# --- Approved texts of cards beside their effects (text/overrides.py)
OVERRIDE_NEAR: Final = 3  # so many words may stand between a number and what it counts
# the share of places in which a term stands that texts of a package have wherever the effects do
OVERRIDE_SURE: Final = 0.95
OVERRIDE_SEEN: Final = 3  # so often a term stands in texts without the effect that it may be added
OVERRIDE_OFTEN: Final = 8  # places from which it can be told that a term is never left out

# --- Forms of numerals (text/plurals.py)
PLURAL_EXAMPLES: Final = 3  # numbers that are shown for each form

# --- Steps of a text in another order than those of the effect (text/step_order.py)
ORDER_CLEARER: Final = 1.1  # by so much the wrong order fits better than the right one
ORDER_NEARLY: Final = 0.8  # a part of the effect that fits so well may be the one that is meant
ORDER_ENOUGH: Final = 0.5  # a step that has less in common with any of the effect says nothing
ORDER_MOST: Final = 0.75  # the share of the pairs of words of two steps that must agree

# --- Case and number of a noun beside its neighbours; doubts are logarithms of likelihoods (translation/agreement.py)
AGREEMENT_CONTEXT: Final = 4  # so many nouns behind a word say which cases it takes
AGREEMENT_DOUBT: Final = 5.5  # another form fits better by this
AGREEMENT_RARE: Final = 6.5  # the same where the case is one that stands almost anywhere
AGREEMENT_SUSPECT: Final = 3.5  # the same where the ending is odd beside that of another language
AGREEMENT_FAINT: Final = 2.0  # the same where it is very odd
AGREEMENT_ODD: Final = 4.0  # so odd beside another language is worth a finding by itself
AGREEMENT_ONCE: Final = 5.5  # so odd is an ending that stands nowhere else in the edition
AGREEMENT_CLOSE: Final = 4.0  # the doubt where a text was changed since it was accepted
AGREEMENT_ENOUGH: Final = 300  # nouns to learn from
# nouns behind a word that tell that it takes no nominative and no dative, which stand almost anywhere
AGREEMENT_LOOSE: Final = 12

# --- Room on cards (translation/card_room.py)
ROOM_MOST: Final = 10_000  # the largest number of characters that a package may give a text
ROOM_TWICE: Final = 2.0  # a text without a limit may be so many times as long as its source
ROOM_MORE: Final = 20  # and so many characters more

# --- Which cases a word takes, learnt from the texts (translation/cases.py)
CASES_ROUNDS: Final = 2  # how often the texts are gone through
CASES_EXACT: Final = 4.0  # what is known of a kind of words counts as much as so many examples of the word
CASES_LIKE: Final = 2.0  # the same for words that are only alike
CASES_MOST: Final = 2500  # texts are enough to learn from

# --- Clauses and sentences lost in a translation; shortness is counted in usual differences of length
#     (translation/completeness.py)
COMPLETE_SHORT: Final = 4.0  # so much shorter, lost words counted in, is a finding
COMPLETE_CLOSE: Final = 2.2  # the same where a text was changed since it was accepted
COMPLETE_SHORTER: Final = 0.7  # and so much without them
COMPLETE_LOST: Final = 0.15  # what a lost word counts
COMPLETE_FEWER: Final = 0.8  # enough if there are fewer sentences as well
COMPLETE_CLOSE_FEWER: Final = 0.0  # the same where a text was changed since it was accepted
COMPLETE_PART: Final = 6.0  # surprise of the words lost where there are fewer parts as well
COMPLETE_CLOSE_PART: Final = 1.2  # the same where a text was changed since it was accepted
COMPLETE_FAINTLY: Final = 0.4  # so much shorter is faintly short: other checks listen to it
COMPLETE_FAINT: Final = 0.7  # surprise of a word that counts as lost at all
COMPLETE_LEAST: Final = 25  # characters: shorter texts say nothing
COMPLETE_FEW: Final = 40  # pairs to learn from: fewer say nothing, and what is usual elsewhere counts
COMPLETE_USUAL: Final = 0.18  # the usual difference where there are too few pairs

# --- Endings and lengths seen from another translation; surprises are logarithms (translation/cross_language.py)
CROSS_LETTERS: Final = 3  # shorter words have no endings
CROSS_LIKELY: Final = 0.12  # a word stands for another at least so often, or is of the same root
CROSS_ALIKE: Final = 0.3  # what the same root counts
CROSS_ROOT: Final = 0.6  # share of letters that words of one root have in common
CROSS_SHORT: Final = 5  # words: so short a text is compared word by word
CROSS_LEAST: Final = 0.01  # the lowest likelihood of an ending
CROSS_WEIGHT: Final = 4.0  # what endings of all words say counts as much as so many examples
CROSS_OWN: Final = 2.0  # what the endings say counts as much as so many examples of the word
CROSS_EXPECTED: Final = 0.25  # an ending at least so likely is expected
CROSS_FAINT: Final = 2.0  # surprise of an ending that other checks listen to
CROSS_SHORTER: Final = 3.2  # so much shorter, seen from two other languages, is a text that has lost a clause
CROSS_ODD: Final = 4.0  # surprise of an ending that is worth a finding in a text that was changed

# --- Words that no dictionary knows (translation/dictionary.py)
DICTIONARY_LEAST: Final = 4  # letters: shorter words say too little

# --- Names in another case (translation/names.py)
NAMES_LETTERS: Final = 3  # an ending has at most so many

# --- Notes for translators (translation/notes.py)
NOTES_MOST: Final = 3  # places that a note names

# --- Nouns without a declared paradigm (translation/nouns.py)
NOUNS_SHORTEST: Final = 5  # letters: of shorter words it cannot be told

# --- Paradigms of words, from the tables and from the texts (translation/paradigms.py)
PARADIGM_LONGEST: Final = 6  # letters of an ending
PARADIGM_STEM: Final = 2  # letters that a stem has at least
PARADIGM_KNOWN: Final = 6  # a word of the tables counts as much as so many forms in the texts
PARADIGM_ENOUGH: Final = 2  # forms beside the one in question that tell a paradigm
PARADIGM_STRONG: Final = 3  # forms that tell it surely
PARADIGM_ATTESTED: Final = 2  # forms in the texts, also of a word that the tables have
PARADIGM_TAIL: Final = 3  # letters of an ending that is looked at
PARADIGM_SHORTEST: Final = 5  # letters: of shorter words it cannot be told

# --- PO files (translation/po.py)
PO_FEW: Final = 20  # findings up to which it is guessed what was meant: that takes time
PO_SHOWN: Final = 5  # lines that cannot be read and are told: one slip makes several of them
PO_LONGEST: Final = 20_000  # characters of a text: no string of a game is as long, and to look through one takes time
PO_LARGEST: Final = 64 * 1024 * 1024  # bytes of a file

# --- Sentences of one string beside those of its source (translation/single_string.py)
LENGTH_SHORT: Final = 0.66  # share of the source's length below which a text with fewer sentences is reported
LENGTH_SHORTER: Final = 0.85  # the same where it has fewer joints as well

# --- Terms of the glossary, and terms that the texts teach (translation/terms.py)
TERMS_SURE: Final = 0.9  # a term stands for its source in so many of the strings
TERMS_SEEN: Final = 4  # strings in which a term must stand to be learnt
TERMS_LEARNT: Final = 0.75  # share of the strings with a word in which the same term stands
TERMS_LIFT: Final = 18.0  # so much more often than by chance
TERMS_LIKELY: Final = 0.2  # or in such a share of the strings
TERMS_MANY: Final = 15  # strings that make a rule strict
TERMS_USUAL: Final = 0.6  # share of the strings in which a term is usual
TERMS_SURER: Final = 0.97  # a term stands for its source in so many of the strings, where there are many

# --- Which word stands for which, learnt from pairs of texts; surprises are logarithms
#     (translation/word_alignment.py)
WORDS_ROUNDS: Final = 4  # how often the pairs are gone through
WORDS_MOST: Final = 2000  # pairs are enough to learn from
WORDS_SHARE: Final = 0.06  # a word stands for another in so many of the cases
WORDS_CLEAR: Final = 4.5  # surprise that is a finding by itself, seen from another language
WORDS_FAINT: Final = 1.2  # surprise that is worth a look
WORDS_TERM: Final = 5.0  # a word lost and a term new together
WORDS_WORD: Final = 9.0  # a word lost and any other new
WORDS_CLOSE_TERM: Final = 3.0  # a word lost and a term new, where a text was changed since it was accepted
WORDS_CLOSE_WORD: Final = 6.0  # a word lost and any other new, where a text was changed since it was accepted
WORDS_UNSEEN: Final = 2.8  # a term that the edition has hardly anywhere else, and whose source is not here
WORDS_NOUN: Final = 5.2  # a noun lost and another new, where there is no glossary
WORDS_SWAP: Final = 5.5  # the same, seen from two other languages
WORDS_LEAST_NOUN: Final = 1.2  # surprise of each of the two at least
WORDS_LEAST_SWAP: Final = 0.7  # the same, seen from two other languages
WORDS_LONG: Final = 0.25  # what is taken off for each word of a long text, by the square root
WORDS_GIVEN: Final = 99  # how often a pair of the glossary counts as seen
SENSE_FEW: Final = 8  # strings are too few to say how an edition does it: then it must do it always
SENSE_RATE: Final = 0.06  # an edition that leaves out a sense more often than this does so on purpose
SENSE_LEAST: Final = 3  # strings without which nothing is told
SENSE_CLOSE_RATE: Final = 0.25  # the rate where a text was changed since it was accepted

# --- Texts written into YAML files (translation/write.py)
YAML_WIDTH: Final = 140  # columns of a line

# --- Card texts (text/patterns.py)
REMEMBERED_PATTERNS: Final = 8192  # patterns whose parts are kept in memory
