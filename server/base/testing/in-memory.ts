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
import * as accessSchema from '../access-schema'
import { createPglite, migrate, type OpenDatabase } from '../database'
import { migrationsFolder } from '../migrations'
import * as schema from '../schema'
import * as sharingSchema from '../sharing-schema'

export const allTables: readonly string[] = Object.values({ ...schema, ...accessSchema, ...sharingSchema })
  .flatMap((part) => (is(part, PgTable) ? [getTableName(part)] : []))
  .toSorted()

/** Opens an empty database in memory. A closed one is emptied and reused, which takes a tenth of loading one. */
export async function openPgliteInMemory(): Promise<OpenDatabase> {
  let client = spare.pop()
  while (client !== undefined && !(await tryEmpty(client))) client = spare.pop()
  const own = lend(client ?? (await load()))
  const close = async () => {
    if (!own.closed) await own.close()
  }
  return { db: await migrate(own), close }
}

const spare: PGlite[] = []
const MAX_SPARE = 3

/** Returns a client that a test can close, after which it is closed to the test and is reused. */
function lend(client: PGlite): PGlite {
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
  const [status] = await once(
    spawn('tar', ['-xf', await findEmptyDatabase(), '-C', folder], { stdio: 'ignore' }),
    'close',
  )
  if (status !== 0) throw new Error(`tar ended with ${status}`)
}

async function load(): Promise<PGlite> {
  const client = await createPglite({ loadDataDir: new Blob([await readFile(await findEmptyDatabase())]) })
  shapes.set(client, await readShape(client))
  return client
}

/** Empties the database. If a test has changed its tables, it closes the client instead and returns false. */
async function tryEmpty(client: PGlite): Promise<boolean> {
  if ((await readShape(client)) !== shapes.get(client)) {
    await client.close()
    return false
  }
  await client.exec('discard all')
  await client.exec(`truncate ${allTables.map((name) => `"${name}"`).join(', ')} restart identity cascade`)
  return true
}

const shapes = new WeakMap<PGlite, string>()

async function readShape(client: PGlite): Promise<string> {
  const { rows } = await client.query(
    'select (select count(*) from pg_depend), string_agg(xmin::text, $1 order by attrelid, attnum) from pg_attribute',
    [' '],
  )
  return JSON.stringify(rows)
}

const CACHE = 'node_modules/.cache/intag'

/** Creating a database takes three seconds, so one is cached for each set of migrations. */
async function findEmptyDatabase(): Promise<string> {
  const digest = createHash('sha256').update(readFileSync('package-lock.json'))
  for (const { name, parentPath } of readdirSync(migrationsFolder(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    digest.update(name).update(readFileSync(join(parentPath, name)))
  }
  const path = join(CACHE, `empty-database-${digest.digest('hex').slice(0, 16)}.tar`)
  if (existsSync(path)) return path
  const client = await createPglite({})
  await migrate(client)
  const dump = await client.dumpDataDir('none')
  await client.close()
  await mkdir(CACHE, { recursive: true })
  // The file has another name until it is whole, because other tests may look for it at the same time.
  const unfinished = `${path}.${randomUUID()}`
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()))
  await rename(unfinished, path)
  return path
}
