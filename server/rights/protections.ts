import 'server-only'
import { asc, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { leadRefSchema } from '@/lib/contract/lead'
import { permissionsOf } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/db/database'
import { protectedPersons } from '@/server/db/access-schema'
import { users } from '@/server/db/schema'
import { placeOf } from '@/server/db/sealed-columns'
import { createToldCache, type HoldsMs } from '@/server/db/told-cache'
import type { DeskEvent } from '@/server/events/announcer'
import type { Seal } from '@/server/seal'

/** Somebody whose identity is protected (skyddade personuppgifter), as it is matched against leads. */
export type Protection = {
  id: string
  /** Comparable, as `lib/contacts/contact-key` has them. */
  emails: ReadonlySet<string>
  phones: ReadonlySet<string>
  /** `nameOfLead` of leads that left neither. */
  leads: ReadonlySet<string>
  /** The ids of those who are shown who it is. */
  allowed: ReadonlySet<string>
  /** Those of them who can be asked: who read leads, and of which schools. */
  people: readonly { name: string; schools: 'all' | ReadonlySet<string> }[]
}

/** All of them at one moment; the same object for as long as they are the same. */
export type ProtectionList = { readonly all: readonly Protection[]; readonly fingerprint: string }

export type Protections = {
  /** As they stand now. While the database cannot be reached: as last read, and never as if there were none. */
  current: () => Promise<ProtectionList>
  /** What is told: of protections themselves, or of somebody whose name or reach stands in them. */
  hear: (event: DeskEvent['name']) => void
  /** One was added, changed or lifted: nothing that was read before holds any longer, whatever becomes of the database. */
  forget: () => void
  /** Something may have changed: read anew, and only where that fails does what is known hold on. */
  outdate: () => void
}

type ProtectionsOptions = {
  connect: Connect
  seal: Seal
  now: () => number
  onUnreachable: (error: unknown) => void
  /** Without it, or while it is 0, every reader looks. */
  holdsMs?: HoldsMs
}

const ALL = 'all'

/** Whose identity is protected, known in memory until told otherwise, because every reader of leads asks. */
export function createProtections(options: ProtectionsOptions): Protections {
  const { connect, seal, now, onUnreachable, holdsMs = () => 0 } = options
  let last: ProtectionList | null = null
  let told = 0
  const read = async (): Promise<ProtectionList> => {
    const before = told
    const found = await readProtections(await connect(), seal)
    const list = last?.fingerprint === found.fingerprint ? last : found
    // It may lack what was told meanwhile.
    if (told === before) last = list
    return list
  }
  const known = createToldCache({ read, holdsMs, now, most: 1 })
  const outdate = () => known.forget(ALL)
  const forget = () => {
    told += 1
    last = null
    outdate()
  }
  return {
    current: async () => {
      try {
        return await known.get(ALL)
      } catch (error) {
        if (last === null) throw error
        onUnreachable(error)
        return last
      }
    },
    hear: (event) => {
      if (event === 'protections') forget()
      if (event === 'person') outdate()
    },
    forget,
    outdate,
  }
}

/** What is sealed of a person: by what their leads are known, why it is so, and who gave whom the right to see it. */
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

/**
 * Throws where the row was sealed under another key: a person whom nobody can recognise any more would be shown to everybody,
 * so no lead is shown instead.
 */
export function openPerson(seal: Seal, { id, sealedPerson }: { id: string; sealedPerson: string }): SealedPerson {
  const text = seal.open(sealedPerson, placeOf.protectedPerson(id))
  if (text === null) throw new Error(`Protected person ${id} cannot be read: was DATA_KEY another when it was written?`)
  return sealedPersonSchema.parse(JSON.parse(text))
}

/** Stands for one lead among those of both kinds. */
export function nameOfLead({ kind, id }: { kind: string; id: string }): string {
  return `${kind} ${id}`
}

async function readProtections(db: Db, seal: Seal): Promise<ProtectionList> {
  const rows = await db
    .select()
    .from(protectedPersons)
    .orderBy(asc(protectedPersons.createdAt), asc(protectedPersons.id))
  const ids = [...new Set(rows.flatMap(({ allowedUsers }) => allowedUsers))]
  const { id, name, role, schools, disabled } = users
  const people =
    ids.length === 0 ? [] : await db.select({ id, name, role, schools, disabled }).from(users).where(inArray(id, ids))
  const readers = people
    .filter((person) => !person.disabled && permissionsOf[person.role].has('leads:read'))
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
