import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { protectedPersons, readingHours, secondFactors, sessions } from './access-schema'
import { exports, notes, savedViews, settings } from './schema'

/** Where each sealed text stands: it can be read in no other row. */
export const placeOf = {
  note: (id: string) => `notes ${id}`,
  savedView: (id: string) => `saved-views ${id}`,
  export: (id: string) => `exports ${id}`,
  setting: (name: string) => `settings ${name}`,
  idToken: (sessionId: string) => `sessions ${sessionId}`,
  secondFactor: (id: string) => `second-factors ${id}`,
  readingReason: (userId: string, hour: Date) => `reading_hours ${userId} ${hour.toISOString()}`,
  protectedPerson: (id: string) => `protected-persons ${id}`,
}

/** The names of settings that hold a key. */
export const KEPT_KEY = 'kept-key '

/** A column of sealed texts, so that all of them can be sealed anew. */
export type SealedColumn = {
  /** As the database calls it: table and column. */
  name: string
  table: PgTable
  /** One text for each row, by which it is found again. */
  id: SQL<string>
  sealed: SQL<string | null>
  place: (id: string) => string
  /** What an update sets. */
  set: (sealed: string) => Record<string, unknown>
}

const HOUR = sql`to_char(${readingHours.hour} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Every column in which sealed texts stand, in the order in which they are sealed anew. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    name: 'notes.sealed_text',
    table: notes,
    id: sql`${notes.id}`,
    sealed: sql`${notes.sealedText}`,
    place: placeOf.note,
    set: (sealedText) => ({ sealedText }),
  },
  {
    name: 'saved_views.sealed_view',
    table: savedViews,
    id: sql`${savedViews.id}`,
    sealed: sql`${savedViews.sealedView}`,
    place: placeOf.savedView,
    set: (sealedView) => ({ sealedView }),
  },
  {
    name: 'exports.sealed_reason',
    table: exports,
    id: sql`${exports.id}`,
    sealed: sql`${exports.sealedReason}`,
    place: placeOf.export,
    set: (sealedReason) => ({ sealedReason }),
  },
  {
    name: 'sessions.sealed_id_token',
    table: sessions,
    id: sql`${sessions.id}`,
    sealed: sql`${sessions.sealedIdToken}`,
    place: placeOf.idToken,
    set: (sealedIdToken) => ({ sealedIdToken }),
  },
  {
    name: 'second_factors.sealed_key',
    table: secondFactors,
    id: sql`${secondFactors.id}`,
    sealed: sql`${secondFactors.sealedKey}`,
    place: placeOf.secondFactor,
    set: (sealedKey) => ({ sealedKey }),
  },
  {
    name: 'reading_hours.sealed_reason',
    table: readingHours,
    id: sql`(${readingHours.userId} || ' ' || ${HOUR})`,
    sealed: sql`${readingHours.sealedReason}`,
    place: (id) => `reading_hours ${id}`,
    set: (sealedReason) => ({ sealedReason }),
  },
  {
    name: 'protected_persons.sealed_person',
    table: protectedPersons,
    id: sql`${protectedPersons.id}`,
    sealed: sql`${protectedPersons.sealedPerson}`,
    place: placeOf.protectedPerson,
    set: (sealedPerson) => ({ sealedPerson }),
  },
  {
    name: 'settings.value',
    table: settings,
    id: sql`${settings.name}`,
    sealed: sql`${settings.value} ->> 'sealed'`,
    place: placeOf.setting,
    set: (sealed) => ({ value: { sealed } }),
  },
]
