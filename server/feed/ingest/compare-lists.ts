import 'server-only'
import type { Lead } from '@/lib/contract/lead'
import type { Work } from '@/lib/leads/columns/work'
import type { IngestedList } from './ingested-list'
import { isSameLead } from './lead-source'
import type { RecordsReading } from './read-records'

/** Ids of leads, in no particular order. */
export type ListChanges = { added: readonly string[]; removed: readonly string[]; changedIds: readonly string[] }

const IDS_PER_PAUSE = 256

/** What became different. Looks only at ids that were read anew, not taken over, or that occur twice. */
export function* compareLists<L extends Lead>(
  before: IngestedList<L>,
  after: IngestedList<L>,
  reading: RecordsReading,
): Work<ListChanges> {
  const added: string[] = []
  const removed: string[] = []
  const changedIds: string[] = []
  let count = 0
  for (const id of yield* suspects(before, after, reading)) {
    if (count++ % IDS_PER_PAUSE === 0) yield
    const old = before.positionOf(id)
    const current = after.positionOf(id)
    if (old === -1 && current !== -1) added.push(id)
    else if (old !== -1 && current === -1) removed.push(id)
    else if (old !== -1 && !isSameLead(before, old, after, current)) changedIds.push(id)
  }
  return { added, removed, changedIds }
}

function* suspects<L extends Lead>(
  before: IngestedList<L>,
  after: IngestedList<L>,
  { fresh, kept }: RecordsReading,
): Work<Set<string>> {
  const ids = new Set([...before.repeatedIds, ...after.repeatedIds])
  const add = (id: string | undefined) => id !== undefined && ids.add(id)
  let position = -1
  while ((position = kept.indexOf(0, position + 1)) !== -1) {
    add(before.records.columns.id[position])
    if (ids.size % IDS_PER_PAUSE === 0) yield
  }
  for (const freshPosition of fresh) {
    add(after.records.columns.id[freshPosition])
    if (ids.size % IDS_PER_PAUSE === 0) yield
  }
  return ids
}
