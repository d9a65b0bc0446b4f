import type { ContactReason, Lead } from '@/lib/contract/lead'
import { groupBy } from '@/lib/group-by'
import { foldText } from '@/lib/leads/comparable-text'
import { readContactDetails, toComparableEmail, toComparablePhone } from './contact-key'

/** Finds who shares an e-mail or phone with the anchors, also through others, and why. Keys index `candidates`. */
export function findContactLeads(
  candidates: readonly Traces[],
  { traceKind, anchors }: { traceKind: TraceKind; anchors: readonly number[] },
): Map<number, ContactReason> {
  const indexes = [...candidates.keys()]
  const indexesByText = {
    email: groupBy(indexes, (index) => candidates[index]?.email ?? null),
    phone: groupBy(indexes, (index) => candidates[index]?.phone ?? null),
  }
  const sortOldestFirst = (chosenIndexes: readonly number[]) =>
    chosenIndexes.flatMap((index) => candidates[index] ?? []).toSorted((a, b) => a.createdAt - b.createdAt)
  // The anchors have the same hash, which can be forged, so the text of the oldest one decides.
  const oldestAnchor = sortOldestFirst(anchors).find((candidate) => candidate[traceKind] !== null)
  const anchorIndexes = indexesByText[traceKind].get(oldestAnchor?.[traceKind] ?? '') ?? []
  const newestName = sortOldestFirst(anchorIndexes).findLast(({ name }) => name !== null)?.name ?? null
  const reasonByIndex = new Map<number, ContactReason['by']>(anchorIndexes.map((index) => [index, 'anchor']))
  const followedTexts = { email: new Set<string>(), phone: new Set<string>() }
  // The loop also visits the leads that it adds.
  for (const [index, reason] of reasonByIndex) {
    for (const kind of TRACE_KINDS) {
      const text = candidates[index]?.[kind] ?? null
      if (text === null || followedTexts[kind].has(text)) continue
      followedTexts[kind].add(text)
      for (const other of indexesByText[kind].get(text) ?? [])
        if (!reasonByIndex.has(other)) reasonByIndex.set(other, reason === 'anchor' ? `same-${kind}` : 'through-others')
    }
  }
  const reasons = new Map<number, ContactReason>()
  for (const [index, by] of reasonByIndex) {
    const name = candidates[index]?.name ?? null
    reasons.set(index, { by, sameName: name === null || newestName === null ? null : name === newestName })
  }
  return reasons
}

export const TRACE_KINDS = ['email', 'phone'] as const
export type TraceKind = (typeof TRACE_KINDS)[number]
/** Traces are a lead's e-mail, phone and name as they are compared, and the moment (ms) it was created. */
export type Traces = { email: string | null; phone: string | null; name: string | null; createdAt: number }

/** More leads than this are not one person's: a phone such as "-" may be on thousands. */
export const MAX_LEADS_OF_PERSON = 200

export function toTraces(lead: Lead): Traces {
  const { email, phone } = readContactDetails(lead)
  const name = 'user' in lead ? foldText(`${lead.user.firstName ?? ''} ${lead.user.lastName ?? ''}`).trim() : ''
  return {
    email: toComparableEmail(email),
    phone: toComparablePhone(phone),
    name: name === '' ? null : name,
    createdAt: Date.parse(lead.createdAt),
  }
}
