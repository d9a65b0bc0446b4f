import 'server-only'
import { eq } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { listOf } from '@/lib/leads/list-of'
import type { Connect } from '@/server/db/db'
import { notes } from '@/server/db/schema'
import { noteAbsences } from './note-absences'
import { purgeAbsent } from './purge-absent'
import { storedWatch } from './stored-watch'
import { takeTurn } from './take-turn'
import { watchSize } from './watch-size'

export type ListNow = {
  kind: LeadKind
  /** How many leads the service has now, and whether this is one of them. Only of a good answer. */
  size: number
  isThere: (id: string) => boolean
  /** The leads that have triage. */
  triaged: Iterable<string>
}
export type Checked = { purged: string[]; isHeld: boolean }

/**
 * One look at a list: who is missing, whether it shrank so much that an administrator must agree first, and else what has been
 * missing for long enough goes. Null when another instance is at it.
 */
export async function checkList(connect: Connect, list: ListNow, now: number): Promise<Checked | null> {
  const isHeld = await takeTurn(connect, async (tx) => {
    const name = listOf(list.kind)
    const known = await storedWatch.watch(tx, name)
    const { watch, hold, unknownMs } = watchSize(known, await storedWatch.hold(tx, name), list.size, now)
    await storedWatch.setWatch(tx, name, watch, now)
    await storedWatch.setHold(tx, name, hold, now)
    const noted = await tx.selectDistinct({ id: notes.leadId }).from(notes).where(eq(notes.kind, list.kind))
    const kept = [...list.triaged, ...noted.map(({ id }) => id)]
    await noteAbsences(tx, { kind: list.kind, kept, isThere: list.isThere, now, unknownMs })
    return hold !== null
  })
  if (isHeld === null) return null
  return { isHeld, purged: isHeld ? [] : await purgeAbsent(connect, list.kind, now) }
}
