import 'server-only'
import { asc, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { leadRefSchema } from '@/lib/contract/lead'
import { permissionsOf } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/db/database'
import { protectedPersons } from '@/server/db/access-schema'
import { users } from '@/server/db/schema'
import { placeOf } from '@/server/db/sealed-columns'
import { createInvalidatedCache, type HoldsMs } from '@/server/db/invalidated-cache'
import type { DeskEvent } from '@/server/events/announcer'
import type { Seal } from '@/server/seal'

/** A protected identity (skyddade personuppgifter), as it is matched against leads. */
export type Protection = {
  id: string
  /** Comparable, as `lib/contacts/contact-key` has them. */
  emails: ReadonlySet<string>
  phones: ReadonlySet<string>
  /** `nameOfLead` of leads that left neither. */
  leads: ReadonlySet<string>
  allowed: ReadonlySet<string>
  /** Those who can be asked, and about which schools. */
  people: readonly { name: string; schools: 'all' | ReadonlySet<string> }[]
}

/** All of them at one moment; the same object for as long as they are the same. */
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
    // It may lack what changed meanwhile.
    if (changes === before) last = list
    return list
  }
  const known = createInvalidatedCache({ read, holdsMs, now, most: 1 })
  /** Read again; only where that fails does what is known hold on. */
  const outdate = () => known.forget(ALL)
  /** Nothing that was read before holds any longer, whatever becomes of the database. */
  const forget = () => {
    changes += 1
    last = null
    outdate()
  }
  return {
    /** As they stand now. While the database cannot be reached: as last read, and never as if there were none. */
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

/** Throws under another key: a person whom nobody can recognise would be shown to everybody. */
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
  const { createdAt, id: key } = protectedPersons
  const rows = await db.select().from(protectedPersons).orderBy(asc(createdAt), asc(key))
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
