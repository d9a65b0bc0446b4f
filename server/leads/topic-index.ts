import type { LeadTable } from '@/lib/leads/lead-table'
import { isSameText } from '@/lib/leads/search-texts'
import { NO_TOPIC, toTopicBits } from '@/lib/topics/topic-list'
import { createDefaultFinder } from '@/lib/topics/topics'
import { runInSlices } from '@/server/feed/pausable'

const NO_TOPIC_BIT = toTopicBits([NO_TOPIC])

/** Keeps the topics of all questions in memory only, and reads each text once however many snapshots have it. */
export function createTopicIndex(getNewest: () => LeadTable | null) {
  const findTopics = createDefaultFinder()
  let last: { table: LeadTable; bits: Uint32Array } | null = null
  let running: Promise<void> | null = null

  function* indexTable(table: LeadTable) {
    const before = last
    const bits = new Uint32Array(table.kind === 'asked-question' ? table.size : 0)
    for (let row = 0; row < bits.length; row++) {
      const rowBefore = before?.table.findRow(table.id[row] ?? '') ?? -1
      if (before !== null && rowBefore !== -1 && isSameText(before.table, rowBefore, table, row)) {
        bits[row] = before.bits[rowBefore] ?? 0
        continue
      }
      // Other requests may be served before each text that is read.
      yield
      const lead = table.getLead(row)
      if ('question' in lead) bits[row] = findTopics(lead.question) || NO_TOPIC_BIT
    }
    return { table, bits }
  }

  async function indexNewest() {
    const table = getNewest()
    if (table !== null && last?.table.id !== table.id) last = await runInSlices(indexTable(table))
  }
  const run = () => (running ??= indexNewest().finally(() => (running = null)))

  return {
    /** Indexes the newest snapshot in the background, once for all concurrent callers. */
    run,
    /** Resolves when the first snapshot is indexed. */
    ready: async () => {
      if (last === null) await run()
    },
    getTopicBits: (table: LeadTable) => {
      // A viewer's version of a table shares its array of ids.
      if (last?.table.id === table.id) return last.bits
      const newest = getNewest()
      const isNewest = newest?.id === table.id
      const steps = indexTable(isNewest ? newest : table)
      // A request that comes before the background run indexes the table at once.
      let step = steps.next()
      while (!step.done) step = steps.next()
      if (isNewest) last = step.value
      return step.value.bits
    },
  }
}
