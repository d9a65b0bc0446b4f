import 'server-only'
import type { AskedQuestion } from '@/lib/contract/lead'
import { type IngestedList, type LeadsReading, readLeads } from '@/server/feed/ingest'
import { readAskedQuestion } from '../service-records'

type Outcome = { leads: AskedQuestion[]; unreadable: unknown[] } | 'broken'

/** What a plain JSON.parse of the whole body and the reader of records come to: what the cheap way must equal. */
export function plainReading(body: Uint8Array): Outcome {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return 'broken'
  }
  if (typeof json !== 'object' || json === null || !('askedQuestions' in json)) return 'broken'
  if (!Object.hasOwn(json, 'askedQuestions') || !Array.isArray(json.askedQuestions)) return 'broken'
  const leads = new Map<string, AskedQuestion>()
  const unreadable: unknown[] = []
  json.askedQuestions.forEach((record: unknown, index) => {
    const reading = readAskedQuestion(record)
    if (!reading.ok) return unreadable.push({ index, reason: reading.reason })
    const known = leads.get(reading.value.id)
    if (known === undefined) leads.set(reading.value.id, reading.value)
    else if (JSON.stringify(known) !== JSON.stringify(reading.value))
      unreadable.push({ index, reason: 'id: duplicate' })
  })
  return { leads: [...leads.values()].toSorted(canonically), unreadable }
}

export function cheapReading(
  body: Uint8Array,
  previous?: IngestedList<AskedQuestion>,
): Promise<LeadsReading<AskedQuestion>> {
  return readLeads({ kind: 'asked-question', body, previous, yieldTurn: async () => {} })
}

export function outcomeOf(reading: LeadsReading<AskedQuestion>): Outcome {
  if (!reading.ok) return 'broken'
  const { table, unreadable } = reading.list
  const leads = Array.from({ length: table.size }, (_, row) => table.lead(row))
  return { leads, unreadable: unreadable.map(({ index, reason }) => ({ index, reason })) }
}

function canonically(a: AskedQuestion, b: AskedQuestion): number {
  return Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? -1 : 1)
}
