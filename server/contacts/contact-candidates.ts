import 'server-only'
import { NO_KEY } from '@/lib/contacts/contact-key'
import { rowsByKeys, type RowsInReach } from '@/lib/contacts/rows-by-keys'
import type { LeadKind } from '@/lib/contract/lead'
import type { SnapshotInfo } from '@/lib/contract/snapshot'
import type { LeadTable } from '@/lib/leads/lead-table'
import { selectRows } from '@/lib/leads/select-rows'
import type { Viewer } from '@/server/access/viewer'
import { current } from '@/server/feed/current'
import { services } from '@/server/services'
import { type ContactKey, leadIdKey } from './contact-id'

/** One row of a list within the viewer's reach. */
export type Candidate = { kind: LeadKind; table: LeadTable; row: number }
export type Candidates = {
  candidates: Candidate[]
  /** The places of those with the very key that was asked for. */
  anchors: number[]
  /** Of the list that is worse off. */
  snapshot: SnapshotInfo
}

/** Who may belong to the contact by the keys alone; never a lead out of reach, so that none joins two within. */
export async function contactCandidates(viewer: Viewer, key: ContactKey): Promise<Candidates> {
  const { feed } = services()
  const [questions, declarations] = await Promise.all([current(feed.askedQuestions), current(feed.declarations)])
  const lists = [
    { kind: 'asked-question', table: questions.content.table },
    { kind: 'declaration-of-interest', table: declarations.content.table },
  ] as const
  const inReach = lists.map(({ table }) => ({ table, rows: rowsInReach(viewer, table) }))
  const rowsOf = key.by === 'lead' ? loneRows(lists, inReach, key) : rowsByKeys(inReach, keysOf(key))
  const candidates = lists.flatMap(({ kind, table }, index) =>
    Array.from(rowsOf[index] ?? [], (row) => ({ kind, table, row })),
  )
  const anchors = candidates.flatMap((one, at) => (key.by === 'lead' || keyOfRow(one, key.by) === key.key ? [at] : []))
  return { candidates, anchors, snapshot: worse(questions.snapshot, declarations.snapshot) }
}

function rowsInReach({ schools, id }: Viewer, table: LeadTable): Uint32Array {
  return selectRows(table, {}, { schools, viewerId: id, lastVisitAt: null, triage: new Map() })
}

function keysOf({ by, key }: { by: 'email' | 'phone'; key: number }) {
  return { email: new Set(by === 'email' ? [key] : []), phone: new Set(by === 'phone' ? [key] : []) }
}

function keyOfRow({ table, row }: Candidate, by: 'email' | 'phone'): number | undefined {
  return (by === 'email' ? table.emailKey : table.phoneKey)[row]
}

/** The one lead of a person who left neither e-mail nor phone. */
function loneRows(
  lists: readonly { kind: LeadKind }[],
  inReach: readonly RowsInReach[],
  { kind, key }: { kind: LeadKind; key: number },
): Uint32Array[] {
  return inReach.map(({ table, rows }, index) => {
    if (lists[index]?.kind !== kind) return new Uint32Array()
    const isLone = (row: number) => table.emailKey[row] === NO_KEY && table.phoneKey[row] === NO_KEY
    return rows.filter((row) => isLone(row) && leadIdKey(table.id[row] ?? '') === key).slice(-1)
  })
}

function worse(one: SnapshotInfo, other: SnapshotInfo): SnapshotInfo {
  if (one.stale !== other.stale) return one.stale ? one : other
  return one.fetchedAt < other.fetchedAt ? one : other
}
