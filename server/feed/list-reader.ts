import 'server-only'
import type { HighSchool, LeadKind } from '@/lib/contract/lead'
import { compareKeys, swedishSortKey } from '@/lib/leads/swedish-sort-key'
import type { LeadOfKind } from '@/server/upstream/wire/lead-format'
import { readHighSchools } from '@/server/upstream/wire/read-high-schools'
import type { UnreadableRecord } from '@/server/upstream/wire/unreadable-record'
import type { IngestedList } from '@/server/feed/ingest/ingested-list'
import { readLeads } from '@/server/feed/ingest/read-leads'

/** Reads the body of a list, given what the list held before. `detail` is free of personal data. */
export type ListReader<T> = (body: Uint8Array, current: T | null) => Promise<ListReading<T>>
export type ListReading<T> = { ok: true; content: T; changed: boolean } | { ok: false; detail: string }
export type ListContent = { readonly unreadable: readonly UnreadableRecord[] }
export type HighSchoolList = ListContent & { highSchools: readonly HighSchool[] }

export function leadReader<K extends LeadKind>(
  kind: K,
  yieldTurn: () => Promise<void>,
): ListReader<IngestedList<LeadOfKind[K]>> {
  return async (body, current) => {
    const reading = await readLeads({ kind, body, previous: current ?? undefined, yield: yieldTurn })
    if (!reading.ok) return reading
    const { list, changed } = reading
    const nothing = list.table.size === 0 ? nothingReadable(list) : null
    return nothing ?? { ok: true, content: list, changed }
  }
}

/** The schools are few, so they are read anew each time and put in Swedish order here. */
export const readHighSchoolList: ListReader<HighSchoolList> = async (body, current) => {
  const reading = readHighSchools(parsed(body))
  if (!reading.ok) return reading
  const nothing = reading.highSchools.length === 0 ? nothingReadable(reading) : null
  if (nothing) return nothing
  const content = { highSchools: inSwedishOrder(reading.highSchools), unreadable: reading.unreadable }
  const changed = JSON.stringify(content) !== JSON.stringify(current)
  return { ok: true, content: changed ? content : (current ?? content), changed }
}

/** Records of which none can be read are no empty list, but an answer that cannot be read. */
function nothingReadable({ unreadable }: ListContent): { ok: false; detail: string } | null {
  const [first] = unreadable
  return first
    ? { ok: false, detail: `none of ${unreadable.length} records can be read; the first: ${first.reason}` }
    : null
}

function inSwedishOrder(schools: readonly HighSchool[]): HighSchool[] {
  return schools
    .map((school) => ({ school, key: swedishSortKey(school.name) }))
    .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.school.id, b.school.id))
    .map(({ school }) => school)
}

/** Undefined, which is no answer of the specification, for what is no JSON. */
function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
