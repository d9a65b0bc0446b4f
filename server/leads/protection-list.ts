import { inArray } from 'drizzle-orm'
import { z } from 'zod'
import { toComparableEmail, toComparablePhone } from '@/lib/contacts/contact-key'
import { leadRefSchema } from '@/lib/contract/lead'
import { type LeadKey, leadKey } from '@/lib/leads/lead-key'
import { mayReadLeads } from '@/server/access/colleagues'
import { protectedPersons } from '@/server/base/access-schema'
import { createInvalidatedCache } from '@/server/base/invalidated-cache'
import { users } from '@/server/base/schema'
import type { Seal } from '@/server/base/seal'
import { sealContext } from '@/server/base/seal-context'
import type { BaseServices } from '@/server/base/services'

/** A protected identity (skyddade personuppgifter) and what its leads are recognised by. */
export type Protection = {
  id: string
  emails: ReadonlySet<string>
  phones: ReadonlySet<string>
  /** These leads have neither e-mail nor phone. */
  leadKeys: ReadonlySet<LeadKey>
  allowedUserIds: ReadonlySet<string>
  /** The allowed users have names and schools here, so that others see whom to ask. */
  allowedReaders: readonly { id: string; name: string; schools: 'all' | ReadonlySet<string> }[]
}

/** The list stays the same object while nothing changes, so that caches may compare it by identity. */
export type ProtectionList = { readonly protections: readonly Protection[]; readonly fingerprint: string }

const ONLY_KEY = ''

export function createProtectionCache({ connect, seal, now, onUnreachable, cacheTtlMs: ttlMs }: BaseServices) {
  let lastList: ProtectionList | null = null
  let resetCount = 0
  const read = async () => {
    const resetCountBefore = resetCount
    const db = await connect()
    const persons = db.select().from(protectedPersons)
    const rows = await persons.orderBy(protectedPersons.createdAt, protectedPersons.id)
    const userIds = [...new Set(rows.flatMap(({ allowedUserIds }) => allowedUserIds))]
    const { id, name, role, schools, disabled } = users
    const allowedUsers = await db.select({ id, name, role, schools, disabled }).from(users).where(inArray(id, userIds))
    const readers = allowedUsers
      .filter(mayReadLeads)
      .toSorted((a, b) => a.name.localeCompare(b.name, 'sv') || (a.id < b.id ? -1 : 1))
    const fingerprint = JSON.stringify([rows.map((row) => [row.id, row.sealedPerson, row.allowedUserIds]), readers])
    const protections = rows.map((row): Protection => {
      const { emails, phones, leads } = decryptPerson(seal, row)
      const allowedUserIds = new Set(row.allowedUserIds)
      return {
        id: row.id,
        emails: new Set(emails),
        phones: new Set(phones),
        leadKeys: new Set(leads.map(leadKey)),
        allowedUserIds,
        allowedReaders: readers
          .filter((reader) => allowedUserIds.has(reader.id))
          .map((reader) => ({ ...reader, schools: reader.schools === 'all' ? 'all' : new Set(reader.schools) })),
      }
    })
    const list = lastList?.fingerprint === fingerprint ? lastList : { protections, fingerprint }
    // A list that was read before a reset must not become the fallback.
    if (resetCount === resetCountBefore) lastList = list
    return list
  }
  const cache = createInvalidatedCache({ read, ttlMs, now, maxEntries: 1 })
  return {
    /** Returns the last list during a database outage. Throws if there is none: an empty one would show everyone. */
    getList: async () => {
      try {
        return await cache.get(ONLY_KEY)
      } catch (error) {
        if (lastList === null) throw error
        onUnreachable(error)
        return lastList
      }
    },
    /** Makes the next call read again; during a database outage it still gets the last list. */
    invalidate: () => cache.invalidate(ONLY_KEY),
    /** Discards the last list also as a fallback, because a protection has changed. */
    reset: () => {
      resetCount += 1
      lastList = null
      cache.invalidate(ONLY_KEY)
    },
  }
}

const personSchema = z.object({
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  leads: z.array(leadRefSchema),
  reason: z.string(),
})
type ProtectedPerson = z.infer<typeof personSchema>

export function encryptPerson(seal: Seal, id: string, person: ProtectedPerson) {
  return seal.encrypt(JSON.stringify(person), sealContext.protectedPerson(id))
}

/** Throws if `DATA_KEY` has changed, because a protection that is not read would show the person to everyone. */
export function decryptPerson(seal: Seal, { id, sealedPerson }: { id: string; sealedPerson: string }) {
  const text = seal.decrypt(sealedPerson, sealContext.protectedPerson(id))
  if (text === null) throw new Error(`Protected person ${id} cannot be read: was DATA_KEY another when it was written?`)
  const { emails, phones, ...person } = personSchema.parse(JSON.parse(text))
  // An earlier release may have stored addresses in another comparable form.
  const toComparable = (stored: readonly string[], compare: (address: string) => string | null) => [
    ...new Set(stored.flatMap((address) => compare(address) ?? [])),
  ]
  return { ...person, emails: toComparable(emails, toComparableEmail), phones: toComparable(phones, toComparablePhone) }
}
