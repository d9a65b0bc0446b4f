import { TOPICS } from '@/lib/topics/topic-list'
import { createQuestionTopics } from '@/lib/topics/topics'
import { createTopicIndex } from '@/server/leads/topic-index'
import { bodyOf, invented, readBody, withThreeMore } from './invented-lists'
import { labelledQuestions, qualityOf } from './labelled-questions'
import { costOf, median, nextTurn } from './measure'

type Row = { of: string } & Partial<Record<string, number | string>>

const RUNS = 20
const [LABELLED, SEED] = [600, 29]

/** What it costs to find topics, and how well they are found in questions that know theirs. */
export async function run(): Promise<Row[]> {
  const { askedQuestions } = invented()
  const first = await readBody('asked-question', bodyOf('asked-question', askedQuestions))
  const next = await readBody('asked-question', bodyOf('asked-question', withThreeMore(askedQuestions)), first)
  const [before, after] = [first.table, next.table]
  let current = before
  const index = createTopicIndex({ current: () => current, yieldTurn: nextTurn })
  const start = await costOf(index.run)
  const again: number[] = []
  for (let at = 0; at < RUNS; at++) {
    current = at % 2 === 0 ? after : before
    again.push((await costOf(() => index.bitsOf(current))).ms)
  }
  const topicsOf = createQuestionTopics()
  topicsOf(askedQuestions[0]?.question ?? '')
  const texts = askedQuestions.slice(0, 2_000).map(({ question }) => question)
  const single = await costOf(() => texts.map(topicsOf))
  return [
    { of: `${before.size} questions after start`, ms: start.ms, 'longest stall ms': start.stallMs },
    { of: 'a snapshot with three more', ms: median(again) },
    { of: 'one question', ms: single.ms / texts.length },
    ...quality().map(({ topic, found: _found, right: _right, ...row }) => ({ of: topic, ...row })),
  ]
}

export function quality() {
  const topicsOf = createQuestionTopics()
  return qualityOf(labelledQuestions(LABELLED, SEED), (text) => {
    const bits = topicsOf(text)
    return new Set<string>(TOPICS.flatMap(({ id }, bit) => ((bits >> bit) & 1 ? [id] : [])))
  })
}
