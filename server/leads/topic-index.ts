import 'server-only'
import type { LeadTable } from '@/lib/leads/lead-table'
import { isSameText } from '@/lib/leads/search-texts'
import { TOPICS } from '@/lib/topics/topic-list'
import { createQuestionTopics } from '@/lib/topics/topics'
import { runInSlices } from '@/server/feed/pausable'

/** By row of a table of questions. */
type TopicColumn = { readonly table: LeadTable; readonly bits: Uint32Array }

type TopicOptions = { current: () => LeadTable | null; yieldTurn: () => Promise<void> }

/**
 * The topics of all questions, in memory only: each text is read once, and what it is about goes from one snapshot to the next.
 * `run` reads a snapshot in the background.
 */
export function createTopicIndex({ current, yieldTurn }: TopicOptions) {
  const topicsOf = createQuestionTopics()
  let last: TopicColumn | null = null

  /** A reader's copy of a table has its ids. */
  function columnOf(table: LeadTable): TopicColumn {
    if (last?.table.id === table.id) return last
    const newest = current()
    const isNewest = newest?.id === table.id
    // Of all questions, not of what one reader sees.
    const work = read(isNewest ? newest : table)
    let step = work.next()
    while (!step.done) step = work.next()
    const column = step.value
    if (isNewest) last = column
    return column
  }

  function* read(table: LeadTable) {
    const before = last
    const bits = new Uint32Array(table.kind === 'asked-question' ? table.size : 0)
    for (let row = 0; row < bits.length; row++) {
      const known = before?.table.rowOf(table.id[row] ?? '') ?? -1
      if (before !== null && known !== -1 && isSameText(before.table, known, table, row)) {
        bits[row] = before.bits[known] ?? 0
        continue
      }
      yield
      const lead = table.lead(row)
      if ('question' in lead) bits[row] = topicsOf(lead.question) || 1 << TOPICS.length
    }
    return { table, bits }
  }

  async function readNewest(): Promise<void> {
    const table = current()
    if (table !== null && last?.table.id !== table.id) last = await runInSlices(read(table), yieldTurn)
  }

  let running: Promise<void> | null = null
  const run = () => (running ??= readNewest().finally(() => (running = null)))

  return {
    run,
    /** Once the first snapshot is read. */
    ready: async () => (last === null ? run() : undefined),
    bitsOf: (table: LeadTable) => columnOf(table).bits,
  }
}
