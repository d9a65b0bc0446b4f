import type { LeadRef, Triage } from '@/lib/contract/lead'
import type { LeadVersion } from '@/lib/api/triage'

export type TriagedLead = LeadRef & { triage?: Triage | undefined }

export type TriageVersions = {
  /** What the person decided by: the newest version they can know of. Without one the server does not compare. */
  of: (lead: TriagedLead) => LeadVersion
  learn: (leads: readonly (LeadRef & { after: Triage })[]) => void
  /** They are about to be others, and it is not known which. */
  forget: (leads: readonly LeadRef[]) => void
}

/**
 * The versions that one's own decisions made: rows on screen still show the one before until the list is asked again, and
 * whoever decides twice in a row must not be told that somebody else was faster.
 */
export function createTriageVersions(): TriageVersions {
  const own = new Map<string, string | null | undefined>()
  const keyOf = ({ kind, id }: LeadRef) => `${kind} ${id}`
  return {
    of: (lead) => {
      const ref = { kind: lead.kind, id: lead.id }
      const key = keyOf(lead)
      if (lead.triage === undefined || (own.has(key) && own.get(key) === undefined)) return ref
      return { ...ref, updatedAt: later(lead.triage.updatedAt, own.get(key) ?? null) }
    },
    learn: (leads) => {
      for (const lead of leads) own.set(keyOf(lead), lead.after.updatedAt)
    },
    forget: (leads) => {
      for (const lead of leads) own.set(keyOf(lead), undefined)
    },
  }
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return Date.parse(a) >= Date.parse(b) ? a : b
}
