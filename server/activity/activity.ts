import 'server-only'
import type { ActivityAction } from '@/lib/contract/activity-actions'
import type { LeadRef } from '@/lib/contract/lead'
import type { Connect, Db } from '@/server/db/database'
import { activity, type ActivityDetails } from '@/server/db/schema'
import { askingAddress } from './asked-from'

export type Activity = ReturnType<typeof createActivity>

/** The log of who did what. */
export function createActivity({ connect, now }: { connect: Connect; now: () => number }) {
  const recordIn = async (tx: Db, ...entries: ActivityEntry[]): Promise<void> => {
    if (entries.length === 0) return
    await tx.insert(activity).values(entries.flatMap((entry) => rowsOf(entry, new Date(now()))))
  }
  return {
    /** Within a transaction: what was done and its place in the log stand or fall together. */
    recordIn,
    async record(...entries: ActivityEntry[]): Promise<void> {
      if (entries.length > 0) await recordIn(await connect(), ...entries)
    },
  }
}

export type ActivityEntry = {
  /** Null when nobody is known, as after a failed sign-in with an unknown e-mail. */
  userId: string | null
  action: ActivityAction
  lead?: LeadRef
  /** Ids, counts and settings only: never a name, a number or a text of a lead's. Long lists go on in further rows. */
  details?: ActivityDetails
  /** Where it came from, if not from where the request under way does. */
  address?: string | null
  /** When it was, if not now. */
  at?: Date
}

function rowsOf({ userId, action, lead, details, address = askingAddress(), at }: ActivityEntry, now: Date) {
  const [leadKind, leadId] = [lead?.kind ?? null, lead?.id ?? null]
  const row = { at: at ?? now, userId, action, leadKind, leadId, address }
  return (details ? inParts(details) : [null]).map((part) => ({ ...row, details: part }))
}

/** Characters of an entry's details as JSON, so that nobody fills the log with a few requests. */
const LONGEST = 500
const LONGEST_TEXTS = 240
const LONGEST_MEMBER = 100

/** What is longer goes on in further rows with the next members of its lists, each with all that is no list; texts are cut. */
function inParts(details: ActivityDetails): ActivityDetails[] {
  if (sizeOf(details) <= LONGEST) return [details]
  const texts = Object.values(details).filter((value) => typeof value === 'string').length
  const rest = Object.fromEntries(
    Object.entries(details).flatMap(([name, value]) => {
      if (Array.isArray(value)) return []
      return [[name, typeof value === 'string' ? cut(value, LONGEST_TEXTS / texts) : value]]
    }),
  )
  const parts: ActivityDetails[] = []
  let part: Record<string, string[]> = {}
  const lists = Object.entries(details).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((member) => ({ name, member: cut(member, LONGEST_MEMBER) })) : [],
  )
  for (const { name, member } of lists) {
    const grown = { ...part, [name]: [...(part[name] ?? []), member] }
    const isFull = sizeOf({ ...rest, ...grown }) > LONGEST
    if (isFull) parts.push({ ...rest, ...part })
    part = isFull ? { [name]: [member] } : grown
  }
  return [...parts, { ...rest, ...part }]
}

function cut(text: string, most: number): string {
  let kept = text
  // A character takes up to six in JSON.
  while (sizeOf(kept) > most) kept = kept.slice(0, -Math.ceil((sizeOf(kept) - most) / 6))
  return kept === text ? text : `${kept}…`.toWellFormed()
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length
}
