import { Random } from '@/reference-service/invented/random'
import texts from './labelled-questions.json'

export type LabelledQuestion = { text: string; topics: ReadonlySet<string> }

const LABELS = Object.keys(texts.parts) as (keyof typeof texts.parts)[]

/** Makes questions with one topic or two (every fourth), with typing errors (every seventh), some in lower case. */
export function createLabelledQuestions(count: number, seed: number): LabelledQuestion[] {
  const random = new Random(seed)
  return Array.from({ length: count }, (_, index) => {
    const label = LABELS[index % LABELS.length] ?? ''
    const labels = index % 4 === 0 ? [label, random.pick(LABELS)] : [label]
    const parts = labels.map((one) => random.pick(texts.parts[one]))
    const sentences = [random.pick(texts.greetings), ...parts, random.pick(texts.closings)]
    const text = sentences
      .join(' ')
      .replace('{name}', random.pick(texts.names))
      .replaceAll('{town}', random.pick(texts.towns))
    const typed = index % 7 === 0 ? addTypingErrors(random, text) : text
    const spelled = random.chance(0.15) ? typed.toLowerCase() : typed
    return { text: spelled, topics: new Set(labels.filter((one) => one !== '')) }
  })
}

/** Swaps two letters in one of five long words. */
function addTypingErrors(random: Random, text: string): string {
  return text.replace(/\p{L}{6,}/gu, (word) => {
    if (!random.chance(0.2)) return word
    const at = 1 + random.below(word.length - 2)
    return `${word.slice(0, at)}${word[at + 1] ?? ''}${word[at] ?? ''}${word.slice(at + 2)}`
  })
}

/** Measures the share of right topics among those that were found, and among those that are there. */
export function measureQuality(questions: readonly LabelledQuestion[], find: (text: string) => ReadonlySet<string>) {
  let [right, found, labelled] = [0, 0, 0]
  for (const { text, topics } of questions) {
    const foundTopics = find(text)
    right += [...foundTopics].filter((topic) => topics.has(topic)).length
    found += foundTopics.size
    labelled += topics.size
  }
  return { precision: right / found, recall: right / labelled }
}
