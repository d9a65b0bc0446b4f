import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import phrasesByTopic from './default-topics.json' with { type: 'json' }
import { type TopicBits, TOPICS } from './topic-list'

/** Finds the topics of questions by the words of `default-topics.json`. */
export const createDefaultFinder = () => createTopicFinder(TOPICS.map(({ id }) => phrasesByTopic[id]))

/** A part of a compound must have so many letters: "buss" is found in "busskort", "apl" not in "kapla". */
const MIN_PART_LENGTH = 4

/**
 * Finds the topics of texts by the stems (Snowball) of Swedish words, also at the beginning or the end of compounds, and of English
 * ones. `topics` has the words of each topic, of which one is enough; several words in one entry must follow each other. Which
 * phrases a word begins is remembered, so that the next text costs little.
 */
export function createTopicFinder(topicPhrases: readonly (readonly string[])[]) {
  const phrases = topicPhrases.flatMap((entries, bit) =>
    entries.map((entry): Phrase => {
      const [first = '', ...rest] = splitWords(entry).map(toStem)
      return { bit, first, rest }
    }),
  )
  const wordCache = new Map<string, AnalyzedWord>()

  function analyzeWord(word: string): AnalyzedWord {
    const cached = wordCache.get(word)
    if (cached !== undefined) return cached
    const stem = toStem(word)
    // Random letters must not fill the memory.
    if (wordCache.size >= MAX_WORDS) wordCache.clear()
    const found = { stem, startedPhrases: phrases.filter(({ first }) => matchesStem(first, stem)) }
    wordCache.set(word, found)
    return found
  }

  return function findTopics(text: string): TopicBits {
    const found = splitWords(text).map(analyzeWord)
    const completePhrases = found.flatMap(({ startedPhrases: begun }, at) =>
      begun.filter(({ rest }) => rest.every((stem, next) => matchesStem(stem, found[at + 1 + next]?.stem ?? ''))),
    )
    return completePhrases.reduce((bits, { bit }) => bits | (1 << bit), 0)
  }
}

type Phrase = { bit: number; first: string; rest: readonly string[] }
type AnalyzedWord = { stem: string; startedPhrases: readonly Phrase[] }

const MAX_WORDS = 50_000

/** Only the beginning of a longer text counts. */
const MAX_LETTERS = 5_000

function splitWords(text: string): string[] {
  return (
    text
      .slice(0, MAX_LETTERS)
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\d]+/gu) ?? []
  )
}

/** English words have a stem of their own where Swedish leaves them as they are. */
function toStem(word: string): string {
  const stem = swedish(word)
  return stem === word ? english(word) : stem
}

function matchesStem(stem: string, word: string): boolean {
  if (word === stem) return true
  return stem.length >= MIN_PART_LENGTH && (word.startsWith(stem) || word.endsWith(stem))
}
