import 'server-only'
import type { PGlite } from '@electric-sql/pglite'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPglite, migrate, migrationsFolder, type OpenDatabase } from '../database'
import * as accessSchema from '../access-schema'
import * as schema from '../schema'
import * as sharingSchema from '../sharing-schema'

export const allTables: readonly string[] = Object.values({ ...schema, ...accessSchema, ...sharingSchema })
  .flatMap((part) => (is(part, PgTable) ? [getTableName(part)] : []))
  .toSorted()

/** An empty database in memory. Emptying a closed one takes a tenth of loading one, so it is reused. */
export async function openPgliteInMemory(): Promise<OpenDatabase> {
  let client = spare.pop()
  while (client !== undefined && !(await emptied(client))) client = spare.pop()
  const own = lent(client ?? (await loaded()))
  const close = async () => {
    if (!own.closed) await own.close()
  }
  return { db: await migrate(own), close }
}

const spare: PGlite[] = []
const MAX_SPARE = 3

/** A test may close it; to the test it then is closed. */
function lent(client: PGlite): PGlite {
  let isClosed = false
  const close = async () => {
    isClosed = true
    if (spare.push(client) > MAX_SPARE) await spare.shift()?.close()
  }
  return new Proxy(client, {
    get(_, name) {
      if (name === 'closed') return isClosed
      if (name === 'close') return close
      if (isClosed) throw new Error('PGlite is closed')
      const value: unknown = Reflect.get(client, name, client)
      return typeof value === 'function' ? value.bind(client) : value
    },
  })
}

export async function placePglite(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'pg')
  await mkdir(folder, { recursive: true })
  const [status] = await once(spawn('tar', ['-xf', await emptyDatabase(), '-C', folder], { stdio: 'ignore' }), 'close')
  if (status !== 0) throw new Error(`tar ended with ${status}`)
}

async function loaded(): Promise<PGlite> {
  const client = await createPglite({ loadDataDir: new Blob([await readFile(await emptyDatabase())]) })
  shapes.set(client, await shapeOf(client))
  return client
}

/** Whether it is as it was when it was loaded; one whose tables a test has changed is closed for good. */
async function emptied(client: PGlite): Promise<boolean> {
  if ((await shapeOf(client)) !== shapes.get(client)) {
    await client.close()
    return false
  }
  await client.exec('discard all')
  await client.exec(`truncate ${allTables.map((name) => `"${name}"`).join(', ')} restart identity cascade`)
  return true
}

const shapes = new WeakMap<PGlite, string>()

async function shapeOf(client: PGlite): Promise<string> {
  const { rows } = await client.query(
    'select (select count(*) from pg_depend), string_agg(xmin::text, $1 order by attrelid, attnum) from pg_attribute',
    [' '],
  )
  return JSON.stringify(rows)
}

const CACHE = 'node_modules/.cache/intag'

/** Making a database takes three seconds, so one is cached for each set of migrations. */
async function emptyDatabase(): Promise<string> {
  const digest = createHash('sha256').update(readFileSync('package-lock.json'))
  for (const { name, parentPath } of readdirSync(migrationsFolder(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    digest.update(name).update(readFileSync(join(parentPath, name)))
  }
  const made = join(CACHE, `empty-database-${digest.digest('hex').slice(0, 16)}.tar`)
  if (!existsSync(made)) await keep(made)
  return made
}

/** Under another name until it is whole: other tests may look for it at the same time. */
async function keep(place: string): Promise<void> {
  const client = await createPglite({})
  await migrate(client)
  const dump = await client.dumpDataDir('none')
  await client.close()
  await mkdir(CACHE, { recursive: true })
  const unfinished = `${place}.${randomUUID()}`
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()))
  await rename(unfinished, place)
}
