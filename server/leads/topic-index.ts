import 'server-only'
import type { LeadTable } from '@/lib/leads/lead-table'
import { isSameText } from '@/lib/leads/search-texts'
import { TOPICS } from '@/lib/topics/topic-list'
import { createDefaultFinder } from '@/lib/topics/topics'
import { runInSlices } from '@/server/feed/pausable'

/**
 * The topics of all questions, in memory only. Each text is read once, and its topics are carried over from one snapshot to
 * the next. `run` reads a snapshot in the background.
 */
export function createTopicIndex(options: { current: () => LeadTable | null; yieldTurn: () => Promise<void> }) {
  const { current, yieldTurn } = options
  const topicsOf = createDefaultFinder()
  /** `bits` by row. */
  let last: { table: LeadTable; bits: Uint32Array } | null = null
  let running: Promise<void> | null = null

  function* read(table: LeadTable) {
    const before = last
    const bits = new Uint32Array(table.kind === 'asked-question' ? table.size : 0)
    for (let row = 0; row < bits.length; row++) {
      const known = before?.table.findRow(table.id[row] ?? '') ?? -1
      if (before !== null && known !== -1 && isSameText(before.table, known, table, row)) {
        bits[row] = before.bits[known] ?? 0
        continue
      }
      yield
      const lead = table.getLead(row)
      if ('question' in lead) bits[row] = topicsOf(lead.question) || 1 << TOPICS.length
    }
    return { table, bits }
  }

  async function readNewest(): Promise<void> {
    const table = current()
    if (table !== null && last?.table.id !== table.id) last = await runInSlices(read(table), yieldTurn)
  }
  const run = () => (running ??= readNewest().finally(() => (running = null)))

  return {
    run,
    /** Once the first snapshot is read. */
    ready: async () => (last === null ? run() : undefined),
    getTopicBits: (table: LeadTable): Uint32Array => {
      // What one reader sees of a table has the table's ids.
      if (last?.table.id === table.id) return last.bits
      const newest = current()
      const isNewest = newest?.id === table.id
      const work = read(isNewest ? newest : table)
      let step = work.next()
      while (!step.done) step = work.next()
      if (isNewest) last = step.value
      return step.value.bits
    },
  }
}
