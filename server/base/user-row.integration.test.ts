import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from '@/server/testing/folder'
import { createPglite } from './database'
import { migrationsFolder } from './migrations'
import * as schema from './schema'

const folder = temporaryFolder()
const journalSchema = z.looseObject({ entries: z.array(z.looseObject({ tag: z.string() })) })
const OID = '6f1c0000-0000-4000-8000-000000000001'
const KEYCLOAK_SUB = '6f1c0000-0000-4000-8000-000000000002'

test('open links, unused recovery codes and accounts at a provider come from the tables of before', async () => {
  const before = join(folder, 'before')
  cpSync(migrationsFolder(), before, { recursive: true })
  const file = join(before, 'meta', '_journal.json')
  const journal = journalSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  const index = journal.entries.findIndex(({ tag }) => tag.endsWith('_user_row'))
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, index) }))
  const client = await createPglite({})
  const db = drizzle(client, { schema })
  await migrate(db, { migrationsFolder: before })
  await db.execute(sql`insert into users (id, email, name, role, schools, created_at)
    select id, id || '@x.test', id, 'staff', '"all"', now() from unnest(array['eva', 'nils', 'ola']) id`)
  await db.execute(sql`insert into invitations (token_hash, user_id, expires_at, used_at) values
    ('open', 'eva', now() + interval '1 day', null), ('used', 'nils', now() + interval '1 day', now()),
    ('over', 'ola', now() - interval '1 day', null)`)
  await db.execute(sql`insert into recovery_codes (user_id, code_hash, used_at) values
    ('eva', 'a', null), ('eva', 'b', now()), ('nils', 'c', now())`)
  await db.execute(sql`insert into identities (issuer, subject, user_id, created_at, last_used_at) values
    ('entra', ${OID}, 'eva', now(), now()), ('entra', 'new-sub', 'eva', now(), now()),
    ('entra', 'old-sub', 'eva', now(), now() - interval '9 days'),
    ('keycloak', ${KEYCLOAK_SUB}, 'nils', now(), now()), ('entra', 'nils-sub', 'nils', now(), now() - interval '9 days')`)
  await migrate(db, { migrationsFolder: migrationsFolder() })
  const none = { linkHash: null, recoveryCodes: [] }
  expect(await db.select().from(schema.users).orderBy(schema.users.id)).toMatchObject([
    { id: 'eva', linkHash: 'open', recoveryCodes: ['a'], issuer: 'entra', subject: 'new-sub', oid: OID },
    { id: 'nils', ...none, issuer: 'keycloak', subject: KEYCLOAK_SUB, oid: null },
    { id: 'ola', ...none, issuer: null, subject: null, oid: null },
  ])
  const left = await db.execute(sql`select user_id from invitations union all select user_id from identities
    union all select user_id from recovery_codes`)
  expect(left.rows).toEqual([])
  await client.close()
})
