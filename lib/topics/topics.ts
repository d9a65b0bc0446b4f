import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import phrasesByTopic from './default-topics.json' with { type: 'json' }
import { type TopicBits, TOPICS } from './topic-list'

export const createDefaultFinder = () => createTopicFinder(TOPICS.map(({ id }) => phrasesByTopic[id]))

/** A stem within a compound must have so many letters: "buss" is found in "busskort", "apl" not in "kapla". */
const MIN_PART_LENGTH = 4
const MAX_WORDS = 50_000

/**
 * A text has a topic if it has one of its phrases in order, by word stems (Snowball), also at the ends of compounds.
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
    // The cache is emptied when it is full, so that texts of random letters do not fill the memory.
    if (wordCache.size >= MAX_WORDS) wordCache.clear()
    const found = { stem, startedPhrases: phrases.filter(({ first }) => matchesStem(first, stem)) }
    wordCache.set(word, found)
    return found
  }

  return function findTopics(text: string): TopicBits {
    const found = splitWords(text).map(analyzeWord)
    const completePhrases = found.flatMap(({ startedPhrases }, index) =>
      startedPhrases.filter(({ rest }) =>
        rest.every((stem, offset) => matchesStem(stem, found[index + 1 + offset]?.stem ?? '')),
      ),
    )
    return completePhrases.reduce((bits, { bit }) => bits | (1 << bit), 0)
  }
}

type Phrase = { bit: number; first: string; rest: readonly string[] }
type AnalyzedWord = { stem: string; startedPhrases: readonly Phrase[] }

/** Only the beginning of a longer text is searched. */
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

/** A word that the Swedish stemmer leaves as it is gets its English stem. */
function toStem(word: string): string {
  const stem = swedish(word)
  return stem === word ? english(word) : stem
}

function matchesStem(stem: string, word: string): boolean {
  if (word === stem) return true
  return stem.length >= MIN_PART_LENGTH && (word.startsWith(stem) || word.endsWith(stem))
}
