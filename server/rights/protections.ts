import 'server-only'
import { asc, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { comparableEmail, comparablePhone, emailKey, phoneKey } from '@/lib/contacts/contact-key'
import { holder } from '@/lib/contacts/person-index'
import { leadRefSchema, type ProtectedMark } from '@/lib/contract/lead'
import { type LeadTable, protectedTable } from '@/lib/leads/lead-table'
import type { Viewer } from '@/server/access/viewer'
import { protectedPersons } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { users } from '@/server/db/schema'
import { placeOf } from '@/server/db/sealed-columns'
import { createInvalidatedCache, type HoldsMs } from '@/server/db/invalidated-cache'
import type { DeskEvent } from '@/server/events/announcer'
import { createLruCache, type LruCache } from '@/server/lru-cache'
import type { Seal } from '@/server/seal'
import { mayReadLeads } from '@/server/users/users'

/** A protected identity (skyddade personuppgifter), as matched against leads. */
export type Protection = {
  id: string
  emails: ReadonlySet<string>
  phones: ReadonlySet<string>
  /** `nameOfLead` of leads without e-mail and phone. */
  leads: ReadonlySet<string>
  allowed: ReadonlySet<string>
  /** Whom to ask, and about which schools. */
  people: readonly { name: string; schools: 'all' | ReadonlySet<string> }[]
}

/** The same object for as long as nothing changes. */
export type ProtectionList = { readonly all: readonly Protection[]; readonly fingerprint: string }

export type Protections = ReturnType<typeof createProtections>

type ProtectionsOptions = {
  connect: Connect
  seal: Seal
  now: () => number
  onUnreachable: (error: unknown) => void
  holdsMs?: HoldsMs
}

const ALL = 'all'

export function createProtections(options: ProtectionsOptions) {
  const { connect, seal, now, onUnreachable, holdsMs = () => 0 } = options
  let last: ProtectionList | null = null
  let changes = 0
  const read = async (): Promise<ProtectionList> => {
    const before = changes
    const found = await readProtections(await connect(), seal)
    const list = last?.fingerprint === found.fingerprint ? last : found
    // A change meanwhile may be missing.
    if (changes === before) last = list
    return list
  }
  const known = createInvalidatedCache({ read, holdsMs, now, most: 1 })
  /** Read again, with what is known as fallback. */
  const outdate = () => known.forget(ALL)
  /** What was read before is invalid, even during a database outage. */
  const forget = () => {
    changes += 1
    last = null
    outdate()
  }
  return {
    /** During a database outage: as last read, and never as if there were none. */
    current: async (): Promise<ProtectionList> => {
      try {
        return await known.get(ALL)
      } catch (error) {
        if (last === null) throw error
        onUnreachable(error)
        return last
      }
    },
    hear: (event: DeskEvent['name']): void => {
      if (event === 'protections') forget()
      if (event === 'person') outdate()
    },
    forget,
    outdate,
  }
}

export const sealedPersonSchema = z.object({
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  leads: z.array(leadRefSchema),
  reason: z.string(),
  changes: z.array(
    z.object({ at: z.string(), by: z.string(), added: z.array(z.string()), removed: z.array(z.string()) }),
  ),
})
export type SealedPerson = z.infer<typeof sealedPersonSchema>

export function sealPerson(seal: Seal, id: string, person: SealedPerson): string {
  return seal.close(JSON.stringify(person), placeOf.protectedPerson(id))
}

/** Throws under another key: an unreadable protection would show the person to everyone. */
export function openPerson(seal: Seal, { id, sealedPerson }: { id: string; sealedPerson: string }): SealedPerson {
  const text = seal.open(sealedPerson, placeOf.protectedPerson(id))
  if (text === null) throw new Error(`Protected person ${id} cannot be read: was DATA_KEY another when it was written?`)
  return sealedPersonSchema.parse(JSON.parse(text))
}

/** A lead's unique name across both kinds. */
export function nameOfLead({ kind, id }: { kind: string; id: string }): string {
  return `${kind} ${id}`
}

async function readProtections(db: Db, seal: Seal): Promise<ProtectionList> {
  const { createdAt, id: key } = protectedPersons
  const rows = await db.select().from(protectedPersons).orderBy(asc(createdAt), asc(key))
  const ids = [...new Set(rows.flatMap(({ allowedUsers }) => allowedUsers))]
  const { id, name, role, schools, disabled } = users
  const people =
    ids.length === 0 ? [] : await db.select({ id, name, role, schools, disabled }).from(users).where(inArray(id, ids))
  const readers = people
    .filter(mayReadLeads)
    .toSorted((a, b) => a.name.localeCompare(b.name, 'sv') || (a.id < b.id ? -1 : 1))
  const fingerprint = JSON.stringify([rows.map((row) => [row.id, row.sealedPerson, row.allowedUsers]), readers])
  const all = rows.map((row): Protection => {
    const { emails, phones, leads } = openPerson(seal, row)
    const allowed = new Set(row.allowedUsers)
    return {
      id: row.id,
      emails: new Set(emails),
      phones: new Set(phones),
      leads: new Set(leads.map(nameOfLead)),
      allowed,
      people: readers
        .filter((reader) => allowed.has(reader.id))
        .map((reader) => ({ name: reader.name, schools: reader.schools === 'all' ? 'all' : new Set(reader.schools) })),
    }
  })
  return { all, fingerprint }
}

type Reader = Pick<Viewer, 'id' | 'schools'>

/** The same table if nobody in scope is protected; else one shared by viewers who see the same persons. */
export function tableFor(list: ProtectionList, viewer: Reader, table: LeadTable): LeadTable {
  if (list.all.length === 0) return table
  const { rows, schools, views } = protectedRows(list, table)
  if (rows.size === 0 || !isInReach(viewer, schools)) return table
  const others = list.all.filter(({ allowed }) => !allowed.has(viewer.id))
  const key = JSON.stringify(others.map(({ id }) => id))
  const known = views.get(key)
  if (known !== undefined) return known
  const hidden = new Set(others)
  const marks = new Map(Array.from(rows, ([row, its]) => [row, markOf(its, hidden, schoolOf(table, row))]))
  const view = protectedTable(table, { key, marks })
  views.set(key, view)
  return view
}

export function shownTo(list: ProtectionList, table: LeadTable): (row: number, id: string) => boolean {
  if (list.all.length === 0) return () => true
  const { rows } = protectedRows(list, table)
  return (row, id) => rows.get(row)?.every(({ allowed }) => allowed.has(id)) ?? true
}

function isInReach({ schools: reach }: Reader, schools: ReadonlySet<string>): boolean {
  return reach === 'all' || [...schools].some((school) => reach.has(school))
}

function schoolOf(table: LeadTable, row: number): string {
  return table.schoolIds[table.school[row] ?? -1] ?? ''
}

/**
 * The lead of several persons, such as two sisters with one phone, is shown only to users allowed to see each of
 * them.
 */
function markOf(its: readonly Protection[], hidden: ReadonlySet<Protection>, school: string): ProtectedMark {
  const people = its.map((one) =>
    one.people.filter(({ schools }) => schools === 'all' || schools.has(school)).map(({ name }) => name),
  )
  const [first = [], ...rest] = people
  return {
    isHidden: its.some((one) => hidden.has(one)),
    people: first.filter((name) => rest.every((names) => names.includes(name))),
  }
}

type ProtectedRows = {
  list: ProtectionList
  rows: ReadonlyMap<number, readonly Protection[]>
  schools: ReadonlySet<string>
  views: LruCache<LeadTable>
}

const MOST_VIEWS = 32
const found = new WeakMap<LeadTable, ProtectedRows>()

/** Computed once per table and list of protections. */
function protectedRows(list: ProtectionList, table: LeadTable): ProtectedRows {
  const known = found.get(table)
  if (known?.list === list) return known
  const rows = rowsOfProtected(list.all, table)
  const schools = new Set(Array.from(rows.keys(), (row) => schoolOf(table, row)))
  const made = { list, rows, schools, views: createLruCache<LeadTable>(MOST_VIEWS) }
  found.set(table, made)
  return made
}

/** The numeric keys only pre-select: they can collide, so the texts decide. */
export function rowsOfProtected(all: readonly Protection[], table: LeadTable): Map<number, readonly Protection[]> {
  const isCandidate = holder(table, {
    email: new Set(all.flatMap(({ emails }) => Array.from(emails, emailKey))),
    phone: new Set(all.flatMap(({ phones }) => Array.from(phones, phoneKey))),
  })
  const candidates = new Set<number>()
  for (let row = 0; row < table.size; row++) if (isCandidate(row)) candidates.add(row)
  for (const { leads } of all) {
    for (const name of leads) {
      const row = name.startsWith(`${table.kind} `) ? table.rowOf(name.slice(table.kind.length + 1)) : -1
      if (row !== -1) candidates.add(row)
    }
  }
  const rows = new Map<number, readonly Protection[]>()
  for (const row of candidates) {
    const lead = table.lead(row)
    const { email, phone } = 'user' in lead ? lead.user : lead.sender
    const [asEmail, asPhone] = [comparableEmail(email), comparablePhone(phone)]
    const name = nameOfLead({ kind: table.kind, id: lead.id })
    const its = all.filter(
      ({ emails, phones, leads }) =>
        (asEmail !== null && emails.has(asEmail)) || (asPhone !== null && phones.has(asPhone)) || leads.has(name),
    )
    if (its.length > 0) rows.set(row, its)
  }
  return rows
}
