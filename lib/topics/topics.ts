import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { getOrCreate } from '@/lib/get-or-create'
import phrasesByTopic from './default-topics.json' with { type: 'json' }
import { type TopicBits, TOPICS } from './topic-list'

export const createDefaultFinder = () => createTopicFinder(TOPICS.map(({ id }) => phrasesByTopic[id]))

/** A shorter stem is not found within a compound: "buss" is in "busskort", but "apl" not in "kapla". */
const MIN_PART_LENGTH = 4
const MAX_SEARCHED_LETTERS = 5_000
/** The cache is emptied at this size, because texts of random letters would fill the memory. */
const MAX_CACHED_WORDS = 50_000

type Phrase = { bit: number; first: string; rest: readonly string[] }
type AnalyzedWord = { stem: string; startedPhrases: readonly Phrase[] }

/** Finds the topics of which a text has a phrase, by word stems (Snowball) in a row, also at the ends of compounds. */
export function createTopicFinder(topicPhrases: readonly (readonly string[])[]) {
  const phrases = topicPhrases.flatMap((entries, bit) =>
    entries.map((entry): Phrase => {
      const [first = '', ...rest] = splitWords(entry).map(toStem)
      return { bit, first, rest }
    }),
  )
  const wordCache = new Map<string, AnalyzedWord>()

  function analyzeWord(word: string): AnalyzedWord {
    if (wordCache.size >= MAX_CACHED_WORDS) wordCache.clear()
    return getOrCreate(wordCache, word, () => {
      const stem = toStem(word)
      return { stem, startedPhrases: phrases.filter(({ first }) => matchesStem(first, stem)) }
    })
  }

  return function findTopics(text: string): TopicBits {
    const words = splitWords(text).map(analyzeWord)
    let topics: TopicBits = 0
    for (const [index, { startedPhrases }] of words.entries())
      for (const { bit, rest } of startedPhrases) {
        const isComplete = rest.every((stem, offset) => matchesStem(stem, words[index + 1 + offset]?.stem ?? ''))
        if (isComplete) topics |= 1 << bit
      }
    return topics
  }
}

function splitWords(text: string): string[] {
  const searched = text.slice(0, MAX_SEARCHED_LETTERS).normalize('NFC').toLowerCase()
  return searched.match(/[\p{L}\d]+/gu) ?? []
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
