import 'server-only'
import type { LeadList } from '@/lib/contract/lead'
import type { DeskEvent } from './desk-event'

export type GatherOptions = {
  tell: (event: DeskEvent) => void
  /** Runs it after so many milliseconds. */
  schedule: (delayMs: number, run: () => void) => void
}

const GATHER_MS = 1_000

/**
 * Tells of triage at most once a second for each list, with everything since: a thousand changes by fifty people are not
 * to have every browser ask a thousand times. All other events pass at once.
 */
export function gatherTriage({ tell, schedule }: GatherOptions): (event: DeskEvent) => void {
  const waiting = new Map<LeadList, Map<string, Set<string>>>()
  return (event) => {
    if (event.name !== 'triage') return tell(event)
    const { list, changes } = event
    const gathered = waiting.get(list) ?? new Map<string, Set<string>>()
    for (const { by, schools } of changes) gathered.set(by, new Set([...(gathered.get(by) ?? []), ...schools]))
    if (waiting.has(list)) return
    waiting.set(list, gathered)
    schedule(GATHER_MS, () => {
      waiting.delete(list)
      const all = Array.from(gathered, ([by, schools]) => ({ by, schools: [...schools] }))
      tell({ name: 'triage', list, changes: all })
    })
  }
}
