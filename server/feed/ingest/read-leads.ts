import 'server-only'
import type { Lead, LeadKind } from '@/lib/contract/lead'
import type { Work } from '@/lib/leads/columns/work'
import { leadFormat, type LeadFormat, type LeadOfKind } from '@/server/upstream/wire/lead-format'
import type { UnreadableRecord } from '@/server/upstream/wire/unreadable-record'
import { compareLists, type ListChanges } from './compare-lists'
import type { IngestedList } from './ingested-list'
import { BrokenBody } from './json-text'
import { createLeadSource } from './lead-source'
import { makeList } from './make-list'
import { readRecords } from './read-records'
import { runInSlices } from './run-in-slices'

export type { IngestedList }

export type LeadsToRead<K extends LeadKind> = {
  kind: K
  body: Uint8Array
  /** The list as it was last: what stands unchanged in `body` is not read again. */
  previous?: IngestedList<LeadOfKind[K]> | undefined
  /** Lets others have their turn of the event loop. */
  yield: () => Promise<void>
}

/** `changed`: whether a lead or a set-aside record came, went or changed; the bytes alone may differ. */
export type LeadsReading<L extends Lead> =
  | ({ ok: true; list: IngestedList<L>; changed: boolean } & ListChanges)
  | { ok: false; detail: string }

/**
 * Reads the body of one list, whole or not at all: `ok: false` (its detail free of personal data) for what JSON.parse
 * refuses or what holds no list; single odd records are set aside. Never holds the event loop for long.
 */
export async function readLeads<K extends LeadKind>(input: LeadsToRead<K>): Promise<LeadsReading<LeadOfKind[K]>> {
  const { previous = null } = input
  const body = Buffer.from(input.body.buffer, input.body.byteOffset, input.body.byteLength)
  if (previous?.body.equals(body)) return { ok: true, list: previous, changed: false, ...NOTHING }
  const work = read({ kind: input.kind, format: leadFormat(input.kind), body, previous })
  try {
    return await runInSlices(work, input.yield)
  } catch (error) {
    if (error instanceof BrokenBody) return { ok: false, detail: error.message }
    throw error
  }
}

const NOTHING: ListChanges = { added: [], removed: [], changedIds: [] }

type BodyToRead<L extends Lead> = {
  kind: LeadKind
  format: LeadFormat<L>
  body: Buffer
  previous: IngestedList<L> | null
}

function* read<L extends Lead>({ kind, format, body, previous }: BodyToRead<L>): Work<LeadsReading<L>> {
  const reading = yield* readRecords(format, body, previous)
  const list = yield* makeList(kind, createLeadSource(format, body, reading.records))
  if (previous === null) return { ok: true, list, changed: true, ...NOTHING, added: list.table.id }
  const changes = yield* compareLists(previous, list, reading)
  const changed =
    changes.added.length + changes.removed.length + changes.changedIds.length > 0 ||
    !isSameSetAside(previous.unreadable, list.unreadable)
  return { ok: true, list, changed, ...changes }
}

/** Their places in the list shift with every new lead, which is no change. */
function isSameSetAside(a: readonly UnreadableRecord[], b: readonly UnreadableRecord[]): boolean {
  return a.length === b.length && a.every(({ id, reason }, at) => b[at]?.id === id && b[at].reason === reason)
}
