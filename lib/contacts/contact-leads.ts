import type { ContactReason, Lead } from '@/lib/contract/lead'
import { foldText } from '@/lib/leads/comparable-text'
import { comparableEmail, comparablePhone } from './contact-key'

/** With those that share an e-mail or phone. Keys can be forged, so the text of the oldest anchor decides. */
export function leadsOfContact(
  candidates: readonly Traces[],
  { by, anchors }: { by: By; anchors: readonly number[] },
): Map<number, ContactReason> {
  const text = firstText(candidates, anchors, by)
  const found = new Map<number, ContactReason['by']>()
  const sharing = createSharing(candidates)
  let nearest: number[] = []
  if (text !== null) {
    nearest = sharing[by].get(text) ?? []
    for (const at of nearest) found.set(at, 'anchor')
  }
  const anchorNames = nearest.map((at) => candidates[at]).filter((lead) => lead !== undefined)
  for (let isFirst = true; nearest.length > 0; isFirst = false) {
    const next = neighbours(candidates, sharing, nearest, found)
    for (const [at, reason] of next) found.set(at, isFirst ? reason : 'through-others')
    nearest = [...next.keys()]
  }
  const name = newestName(anchorNames)
  return new Map(
    Array.from(found, ([at, reason]) => [at, { by: reason, sameName: isSame(candidates[at]?.name, name) }]),
  )
}

export type Traces = { email: string | null; phone: string | null; name: string | null; createdAt: number }
type By = 'email' | 'phone'

/** More leads are not one person's: a phone such as "-" may be that of thousands. */
export const MAX_LEADS_OF_PERSON = 200

export function tracesOf(lead: Lead): Traces {
  const { email, phone } = 'user' in lead ? lead.user : lead.sender
  const name = 'user' in lead ? foldText(`${lead.user.firstName ?? ''} ${lead.user.lastName ?? ''}`).trim() : ''
  return {
    email: comparableEmail(email),
    phone: comparablePhone(phone),
    name: name === '' ? null : name,
    createdAt: Date.parse(lead.createdAt),
  }
}

function firstText(candidates: readonly Traces[], anchors: readonly number[], by: By): string | null {
  let first: Traces | undefined
  for (const at of anchors) {
    const one = candidates[at]
    if (one && one[by] !== null && (first === undefined || one.createdAt < first.createdAt)) first = one
  }
  return first?.[by] ?? null
}

type Sharing = Record<By, Map<string, number[]>>

function createSharing(candidates: readonly Traces[]): Sharing {
  const sharing: Sharing = { email: new Map(), phone: new Map() }
  candidates.forEach((one, at) => {
    for (const by of ['email', 'phone'] as const) {
      const text = one[by]
      if (text === null) continue
      const others = sharing[by].get(text)
      if (others) others.push(at)
      else sharing[by].set(text, [at])
    }
  })
  return sharing
}

function neighbours(
  candidates: readonly Traces[],
  sharing: Sharing,
  nearest: readonly number[],
  found: ReadonlyMap<number, unknown>,
): Map<number, ContactReason['by']> {
  const next = new Map<number, ContactReason['by']>()
  const asked = new Set<string>()
  for (const by of ['email', 'phone'] as const) {
    for (const at of nearest) {
      const text = candidates[at]?.[by]
      if (text === null || text === undefined || asked.has(`${by} ${text}`)) continue
      asked.add(`${by} ${text}`)
      for (const other of sharing[by].get(text) ?? []) {
        if (!found.has(other)) next.set(other, next.get(other) === 'same-email' ? 'same-email-and-phone' : `same-${by}`)
      }
    }
  }
  return next
}

function newestName(anchors: readonly Traces[]): string | null {
  let newest: Traces | null = null
  for (const one of anchors) {
    if (one.name !== null && (newest === null || one.createdAt > newest.createdAt)) newest = one
  }
  return newest?.name ?? null
}

function isSame(name: string | null | undefined, other: string | null): boolean | null {
  return name === null || name === undefined || other === null ? null : name === other
}
