import type { StorageLike } from './search-text'
import type { TriageDecision, TriagedLead } from './undo-steps'

/** `owner`: the user's id. */
type Unsent = { owner: string; leads: readonly TriagedLead[]; decision: TriageDecision }

const KEY = 'intag:unsent'

export type UnsentStore = Pick<StorageLike, 'getItem' | 'setItem' | 'removeItem'>

/** Decisions that the server may not have yet: kept in the tab, without names, so that a reload sends them. */
export function createUnsent(storage: UnsentStore) {
  let kept: readonly Unsent[] = []
  const write = (next: typeof kept) => {
    kept = next
    try {
      if (kept.length === 0) storage.removeItem(KEY)
      else storage.setItem(KEY, JSON.stringify(kept))
    } catch {
      // Storage may be full or forbidden. The decisions are still on their way.
    }
  }
  return {
    /** The answer forgets it. */
    keep: ({ owner, leads, decision }: Unsent): (() => void) => {
      const one = { owner, leads: leads.map(({ kind, id, triage }) => ({ kind, id, triage })), decision }
      write([...kept, one])
      return () => write(kept.filter((other) => other !== one))
    },
  }
}

/** What a tab kept of this user before it was loaded again; asked once. */
export function takeUnsent(storage: UnsentStore, owner: string): readonly Unsent[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    storage.removeItem(KEY)
    return Array.isArray(kept) ? (kept as Unsent[]).filter((one) => one.owner === owner) : []
  } catch {
    return []
  }
}
