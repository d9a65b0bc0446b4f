import { UNSENT_KEY } from './pending'
import type { NewAttempt } from '@/lib/contract/attempts'
import type { StorageLike } from './search-text'
import type { TriageDecision, TriagedLead } from './undo-steps'

/** A decision, an attempt with its key, or what takes a change back. */
export type UnsentChange =
  | { leads: readonly TriagedLead[]; decision: TriageDecision }
  | { attempt: NewAttempt }
  | { undo: string }

type Unsent = UnsentChange & { owner: string; at: number }

/** The server compares no version of a lead that was never on screen: later it might overwrite a colleague. */
const UNCOMPARED_MS = 5 * 60_000

type UnsentStore = Pick<StorageLike, 'getItem' | 'setItem' | 'removeItem'>

/** What the server may not have yet: kept in the tab, without names of pupils, so that a reload sends it. */
export function createUnsent(storage: UnsentStore, now: () => number = Date.now) {
  let before: readonly Unsent[] | null = null
  let own: readonly Unsent[] = []
  let isStopped = false
  const write = () => {
    const all = [...(before ?? []), ...own]
    try {
      if (all.length === 0) storage.removeItem(UNSENT_KEY)
      else if (!isStopped) storage.setItem(UNSENT_KEY, JSON.stringify(all))
    } catch {
      // Storage may be full or forbidden. The changes are still on their way.
    }
  }
  const set = (next: readonly Unsent[]) => {
    before ??= storedIn(storage)
    own = next
    write()
  }
  return {
    keep: (owner: string, change: UnsentChange): (() => void) => {
      const one = { ...('leads' in change ? withoutNames(change) : change), owner, at: now() }
      set([...own, one])
      return () => set(own.filter((other) => other !== one))
    },
    /** What was kept of this user before the page was loaded, once. */
    takeOver: (owner: string): UnsentChange[] => {
      const found = before ?? storedIn(storage)
      before = []
      write()
      const isCompared = (at: number) => (lead: TriagedLead) => lead.triage !== undefined || now() - at < UNCOMPARED_MS
      return found
        .filter((one) => one.owner === owner)
        .map((one) => ('leads' in one ? { ...one, leads: one.leads.filter(isCompared(one.at)) } : one))
    },
    /** The user signs out, here or in another tab: nothing is left, also of what is still on its way. */
    stop: () => {
      before = []
      own = []
      isStopped = true
      write()
    },
  }
}

function withoutNames({ leads, decision }: { leads: readonly TriagedLead[]; decision: TriageDecision }) {
  return { leads: leads.map(withoutName), decision }
}

function withoutName({ kind, id, triage }: TriagedLead): TriagedLead {
  if (triage === undefined) return { kind, id }
  const { status, assignee, updatedAt, snoozeUntil } = triage
  const shown = { status, assignee: assignee && { id: assignee.id, name: '' }, updatedAt }
  return { kind, id, triage: snoozeUntil === undefined ? shown : { ...shown, snoozeUntil } }
}

function storedIn(storage: UnsentStore): readonly Unsent[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(UNSENT_KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as Unsent[]) : []
  } catch {
    return []
  }
}

/** That of this tab; its storage is looked for when it is used, for on the server there is none. */
export const tabUnsent = createUnsent({
  getItem: (key) => sessionStorage.getItem(key),
  setItem: (key, text) => sessionStorage.setItem(key, text),
  removeItem: (key) => sessionStorage.removeItem(key),
})
