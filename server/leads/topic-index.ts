import type { LeadTable } from '@/lib/leads/lead-table'
import { haveSameText } from '@/lib/leads/search-texts'
import { NO_TOPIC, toTopicBits } from '@/lib/topics/topic-list'
import { createDefaultFinder } from '@/lib/topics/topics'
import { runInSlices } from '@/server/feed/pausable'

const NO_TOPIC_BIT = toTopicBits([NO_TOPIC])

/** Keeps the topics of all questions in memory only, and reads each text once however many snapshots have it. */
export function createTopicIndex(getNewest: () => LeadTable | null) {
  const findTopics = createDefaultFinder()
  let lastIndex: { table: LeadTable; bits: Uint32Array } | null = null
  let runningIndexing: Promise<void> | null = null

  function* indexTable(table: LeadTable) {
    const previous = lastIndex
    const bits = new Uint32Array(table.kind === 'asked-question' ? table.size : 0)
    for (let row = 0; row < bits.length; row++) {
      const previousRow = previous?.table.findRow(table.id[row] ?? '') ?? -1
      if (previous !== null && previousRow !== -1 && haveSameText(previous.table, previousRow, table, row)) {
        bits[row] = previous.bits[previousRow] ?? 0
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
    if (table !== null && lastIndex?.table.id !== table.id) lastIndex = await runInSlices(indexTable(table))
  }
  const run = () => (runningIndexing ??= indexNewest().finally(() => (runningIndexing = null)))

  return {
    /** Indexes the newest snapshot in the background, once for all concurrent callers. */
    run,
    /** Resolves when the first snapshot is indexed. */
    ready: async () => {
      if (lastIndex === null) await run()
    },
    getTopicBits: (table: LeadTable) => {
      // A viewer's version of a table shares its array of ids.
      if (lastIndex?.table.id === table.id) return lastIndex.bits
      const newest = getNewest()
      const isNewest = newest?.id === table.id
      const steps = indexTable(isNewest ? newest : table)
      // A request that comes before the background run indexes the table at once.
      let step = steps.next()
      while (!step.done) step = steps.next()
      if (isNewest) lastIndex = step.value
      return step.value.bits
    },
  }
}
