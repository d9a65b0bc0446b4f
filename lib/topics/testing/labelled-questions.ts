import { Random } from '@/reference-service/invented/random'
import texts from './labelled-questions.json'

export type Labelled = { text: string; topics: ReadonlySet<string> }

const LABELS = Object.keys(texts.parts) as (keyof typeof texts.parts)[]

/**
 * Invented questions that know their topics. No sentence is of the reference service, from whose sentences the word list was
 * made. Every fourth has two topics, every seventh a typing error in each long word's place but one, and some are in lower case.
 */
export function labelledQuestions(count: number, seed: number): Labelled[] {
  const random = new Random(seed)
  return Array.from({ length: count }, (_, at) => {
    const label = LABELS[at % LABELS.length] ?? ''
    const labels = at % 4 === 0 ? [label, random.pick(LABELS)] : [label]
    const parts = labels.map((one) => random.pick(texts.parts[one]))
    const sentences = [random.pick(texts.greetings), ...parts, random.pick(texts.closings)]
    const text = sentences
      .filter((one) => one !== '')
      .join(' ')
      .replace('{name}', random.pick(texts.names))
      .replaceAll('{town}', random.pick(texts.towns))
    const typed = at % 7 === 0 ? mistyped(random, text) : text
    const spelled = random.chance(0.15) ? typed.toLowerCase() : typed
    return { text: spelled, topics: new Set(labels.filter((one) => one !== '')) }
  })
}

/** One of five long words has two letters the other way round. */
function mistyped(random: Random, text: string): string {
  return text.replace(/\p{L}{6,}/gu, (word) => {
    if (!random.chance(0.2)) return word
    const at = 1 + random.below(word.length - 2)
    return `${word.slice(0, at)}${word[at + 1] ?? ''}${word[at] ?? ''}${word.slice(at + 2)}`
  })
}

export type Quality = {
  topic: string
  questions: number
  found: number
  right: number
  precision: number
  recall: number
}

/** By topic, and in all as the last row. */
export function qualityOf(questions: readonly Labelled[], found: (text: string) => ReadonlySet<string>): Quality[] {
  const rows = LABELS.filter((topic) => topic !== '').map((topic) => ({ topic, questions: 0, found: 0, right: 0 }))
  for (const { text, topics } of questions) {
    const named = found(text)
    for (const row of rows) {
      if (topics.has(row.topic)) row.questions += 1
      if (named.has(row.topic)) row.found += 1
      if (named.has(row.topic) && topics.has(row.topic)) row.right += 1
    }
  }
  const sum = (of: 'questions' | 'found' | 'right') => rows.reduce((all, row) => all + row[of], 0)
  const total = { topic: 'all', questions: sum('questions'), found: sum('found'), right: sum('right') }
  return [...rows, total].map((row) => ({
    ...row,
    precision: row.right / row.found,
    recall: row.right / row.questions,
  }))
}
