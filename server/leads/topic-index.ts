import 'server-only'
import { NO_TOPIC } from '@/lib/topics/topic-list'
import { type NamedTopic, usualWorkSettings } from '@/lib/contract/settings'
import type { LeadTable } from '@/lib/leads/lead-table'
import { isSameText } from '@/lib/leads/search-texts'
import { writtenWords } from '@/lib/topics/new-words'
import { createTopicFinder, type TopicFinder } from '@/lib/topics/topics'
import { type Pausable, runInSlices } from '@/server/feed/pausable'
import type { Work } from '@/server/settings/work'

export type TopicIndex = ReturnType<typeof createTopicIndex>

type Options = {
  work: Pick<Work, 'settings'>
  current: () => LeadTable | null
  now: () => number
  yieldTurn: () => Promise<void>
}

/** By row of a table of questions. */
export type TopicColumn = {
  readonly table: LeadTable
  /** Of `topics`, in their order; the bit after the last is of questions that have none. */
  readonly bits: Uint32Array
  /** Of recent questions, and gone with them. */
  readonly words: readonly (readonly string[] | undefined)[]
}

const DAY_MS = 86_400_000
/** New words are those of four weeks, beside the twelve before. */
const WORDS_MS = 17 * 7 * DAY_MS
const NOTHING: TopicColumn['words'] = []

/**
 * The topics of all questions, in memory only: each text is read once, and what it is about goes from one snapshot to the next.
 * `run` takes over another list of topics, and reads the first snapshot, in the background; until then the old list holds.
 */
export function createTopicIndex({ work, current, now, yieldTurn }: Options) {
  let topics: readonly NamedTopic[] = usualWorkSettings.topics
  let finder = createTopicFinder(topics)
  let version = 0
  let last: TopicColumn | null = null

  /** A reader's copy of a table has its ids. */
  function columnOf(table: LeadTable): TopicColumn {
    if (last?.table.id === table.id) return last
    const newest = current()
    const isNewest = newest?.id === table.id
    // Of all questions, not of what one reader sees.
    const column = whole(read(isNewest ? newest : table, last, finder, topics.length, now() - WORDS_MS))
    if (isNewest) last = column
    return column
  }

  async function takeOver(): Promise<void> {
    const { topics: wanted } = await work.settings()
    const table = current()
    const isOther = JSON.stringify(wanted) !== JSON.stringify(topics)
    if (table === null || (!isOther && last?.table.id === table.id)) return
    const next = isOther ? createTopicFinder(wanted) : finder
    const before = isOther ? null : last
    const column = await runInSlices(read(table, before, next, wanted.length, now() - WORDS_MS), yieldTurn)
    if (isOther) version += 1
    ;[topics, finder, last] = [wanted, next, column]
  }

  let running: Promise<void> | null = null
  const run = () => (running ??= takeOver().finally(() => (running = null)))

  return {
    run,
    /** Once the first snapshot is read. */
    ready: async () => (last === null ? run() : undefined),
    of: (table: LeadTable) => ({ ...columnOf(table), topics, version, isTopical: finder.isTopical }),
    /** Names the list of topics. */
    version: () => version,
    /** The bits of topics, or of none; unknown ones have no bit. */
    maskOf: (ids: readonly string[]): number =>
      [...topics.map(({ id }) => id), NO_TOPIC].reduce(
        (mask, id, bit) => (ids.includes(id) ? mask | (1 << bit) : mask),
        0,
      ),
  }
}

function* read(table: LeadTable, before: TopicColumn | null, { topicsOf }: TopicFinder, none: number, since: number) {
  const bits = new Uint32Array(table.kind === 'asked-question' ? table.size : 0)
  const words: (readonly string[] | undefined)[] = []
  for (let row = 0; row < bits.length; row++) {
    const known = before?.table.rowOf(table.id[row] ?? '') ?? -1
    const isRecent = (table.createdAt[row] ?? 0) >= since
    if (before !== null && known !== -1 && isSameText(before.table, known, table, row)) {
      bits[row] = before.bits[known] ?? 0
      words.push(isRecent ? before.words[known] : undefined)
      continue
    }
    yield
    const lead = table.lead(row)
    if (!('question' in lead)) continue
    bits[row] = topicsOf(lead.question) || 1 << none
    words.push(isRecent ? writtenWords(lead) : undefined)
  }
  return { table, bits, words: words.length === 0 ? NOTHING : words }
}

function whole<T>(work: Pausable<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
