import 'server-only'
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { protectedPersons, secondFactors, sessions } from './access-schema'
import { exports, notes, replyTemplates, savedViews, settings } from './schema'

/** What each text is sealed with besides the key, so that it cannot be opened in another row. */
export const placeOf = {
  note: (id: string) => `notes ${id}`,
  savedView: (id: string) => `saved-views ${id}`,
  export: (id: string) => `exports ${id}`,
  setting: (name: string) => `settings ${name}`,
  idToken: (sessionId: string) => `sessions ${sessionId}`,
  secondFactor: (id: string) => `second-factors ${id}`,
  protectedPerson: (id: string) => `protected-persons ${id}`,
  ownTemplate: (id: string) => `reply-templates ${id}`,
}

/** Prefix of settings that hold a key (`createKeptKeys`). */
export const KEPT_KEY_PREFIX = 'kept-key '

/** A column with encrypted texts: `id` selects the row, `sealed` its text, `valuesFor` are those of an update. */
export type SealedColumn = {
  name: string
  table: PgTable
  id: SQL<string>
  sealed: SQL<string | null>
  place: (id: string) => string
  valuesFor: (sealed: string) => Record<string, unknown>
}

function column<T extends PgTable>(
  table: T,
  field: keyof T['_']['columns'] & string,
  place: (id: string) => string,
  id: SQL<string> = sql`${getTableColumns<PgTable>(table)['id']}`,
): SealedColumn {
  const sealed = getTableColumns<PgTable>(table)[field]
  if (!sealed) throw new Error(`no column ${field}`)
  const name = `${getTableName(table)}.${sealed.name}`
  const valuesFor = (text: string) => ({ [field]: text })
  return { name, table, id, sealed: sql`${sealed}`, place, valuesFor }
}

export const sealedColumns: readonly SealedColumn[] = [
  column(notes, 'sealedText', placeOf.note),
  column(savedViews, 'sealedView', placeOf.savedView),
  column(exports, 'sealedReason', placeOf.export),
  column(sessions, 'sealedIdToken', placeOf.idToken),
  column(secondFactors, 'sealedKey', placeOf.secondFactor),
  column(protectedPersons, 'sealedPerson', placeOf.protectedPerson),
  {
    // Own templates; templates for everybody are not sealed, and have a name.
    name: 'reply_templates.body',
    table: replyTemplates,
    id: sql`${replyTemplates.id}`,
    sealed: sql`case when ${replyTemplates.name} = '' then ${replyTemplates.body} end`,
    place: placeOf.ownTemplate,
    valuesFor: (sealed) => ({ body: sealed }),
  },
  {
    name: 'settings.value',
    table: settings,
    id: sql`${settings.name}`,
    sealed: sql`${settings.value} ->> 'sealed'`,
    place: placeOf.setting,
    valuesFor: (sealed) => ({ value: { sealed } }),
  },
]
