import { defaultAdmissionCycle, usualWorkSettings } from '@/lib/contract/settings'
import { createTopicFinder } from '@/lib/topics/topics'
import { createTopicIndex } from '@/server/leads/topic-index'
import { bodyOf, invented, readBody, START, withThreeMore } from './invented-lists'
import { labelledQuestions, qualityOf } from './labelled-questions'
import { costOf, median, nextTurn } from './measure'

type Row = { of: string } & Partial<Record<string, number | string>>

const { topics } = usualWorkSettings
const RUNS = 20
const [LABELLED, SEED] = [600, 29]

/** What it costs to find topics, and how well they are found in questions that know theirs. */
export async function run(): Promise<Row[]> {
  const { askedQuestions } = invented()
  const first = await readBody('asked-question', bodyOf('asked-question', askedQuestions))
  const next = await readBody('asked-question', bodyOf('asked-question', withThreeMore(askedQuestions)), first)
  const [before, after] = [first.table, next.table]
  const now = () => START
  let current = before
  const work = { settings: async () => ({ ...usualWorkSettings, cycle: defaultAdmissionCycle }) }
  const started = () => createTopicIndex({ work, current: () => current, now, yieldTurn: nextTurn })
  const index = started()
  const start = await costOf(index.run)
  const again: number[] = []
  for (let at = 0; at < RUNS; at++) {
    current = at % 2 === 0 ? after : before
    again.push((await costOf(() => index.of(current))).ms)
  }
  const finder = createTopicFinder(topics)
  finder.topicsOf(askedQuestions[0]?.question ?? '')
  const texts = askedQuestions.slice(0, 2_000).map(({ question }) => question)
  const single = await costOf(() => texts.map(finder.topicsOf))
  return [
    { of: `${before.size} questions after start`, ms: start.ms, 'longest stall ms': start.stallMs },
    { of: 'a snapshot with three more', ms: median(again) },
    { of: 'one question', ms: single.ms / texts.length },
    ...quality().map(({ topic, found: _found, right: _right, ...row }) => ({ of: topic, ...row })),
  ]
}

export function quality() {
  const { topicsOf } = createTopicFinder(topics)
  return qualityOf(labelledQuestions(LABELLED, SEED), (text) => {
    const bits = topicsOf(text)
    return new Set(topics.flatMap(({ id }, bit) => ((bits >> bit) & 1 ? [id] : [])))
  })
}
