import type { LeadKind } from '@/lib/contract/lead'
import { inventData } from '@/reference-service/data/invent'
import { byNewest } from '@/reference-service/data/order'

export type Field = 'askedQuestions' | 'declarationsOfInterest'
export type Change = 'equal body' | '3 new leads' | '1 deleted in the middle'

/** One list of the service at tier XL, and the bodies that may follow on it. */
export type ListBodies = { kind: LeadKind; field: Field; first: Buffer; next: Record<Change, Buffer> }

type Lead = { id: string; createdAt: string }

export function inventBodies(): ListBodies[] {
  const data = inventData({ tier: 'XL', seed: 7, now: Date.UTC(2026, 10, 20, 8) })
  return [
    bodiesOf('declaration-of-interest', 'declarationsOfInterest', data.declarationsOfInterest),
    bodiesOf('asked-question', 'askedQuestions', data.askedQuestions),
  ]
}

function bodiesOf(kind: LeadKind, field: Field, unsorted: readonly Lead[]): ListBodies {
  const leads = unsorted.toSorted(byNewest)
  const body = (list: readonly Lead[]) => Buffer.from(JSON.stringify({ [field]: list }))
  const arrivals = leads.slice(0, 3).map((lead, at) => {
    return { ...lead, id: `${lead.id}-again`, createdAt: new Date(Date.UTC(2026, 10, 20, 8, 3 - at)).toISOString() }
  })
  const next = {
    'equal body': body(leads),
    '3 new leads': body([...arrivals, ...leads]),
    '1 deleted in the middle': body(leads.toSpliced(leads.length >>> 1, 1)),
  }
  return { kind, field, first: body(leads), next }
}
