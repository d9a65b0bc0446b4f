import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PGlite } from '@electric-sql/pglite'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as accessSchema from '../access-schema'
import { createPglite, migrateClient, type DatabaseHandle } from '../database'
import { findMigrationsFolder } from '../migrations'
import * as schema from '../schema'
import * as sharingSchema from '../sharing-schema'

export const allTables: readonly string[] = Object.values({ ...schema, ...accessSchema, ...sharingSchema })
  .flatMap((part) => (is(part, PgTable) ? [getTableName(part)] : []))
  .toSorted()

/** Opens an empty database in memory. A closed one is emptied and reused, which takes a tenth of loading one. */
export async function openPgliteInMemory(): Promise<DatabaseHandle> {
  const client = spareClients.pop()
  if (client) {
    await client.exec('discard all')
    await client.exec(`truncate ${allTables.map((name) => `"${name}"`).join(', ')} restart identity cascade`)
  }
  const lentClient = lend(
    client ?? (await createPglite({ loadDataDir: new Blob([await readFile(await findEmptyDatabase())]) })),
  )
  const close = async () => {
    if (!lentClient.closed) await lentClient.close()
  }
  return { db: await migrateClient(lentClient), close }
}

const spareClients: PGlite[] = []
const MAX_SPARE_CLIENTS = 3

/** Returns a client that a test can close, after which it is closed to the test and is reused. */
function lend(client: PGlite): PGlite {
  let isClosed = false
  const close = async () => {
    isClosed = true
    if (spareClients.push(client) > MAX_SPARE_CLIENTS) await spareClients.shift()?.close()
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
  await promisify(execFile)('tar', ['-xf', await findEmptyDatabase(), '-C', folder])
}

const CACHE_FOLDER = 'node_modules/.cache/intag'

/** Returns the file of an empty database. Creating one takes seconds, so one is cached per set of migrations. */
async function findEmptyDatabase(): Promise<string> {
  const digest = createHash('sha256').update(readFileSync('package-lock.json'))
  const files = readdirSync(findMigrationsFolder(), { recursive: true, encoding: 'utf8' }).toSorted()
  for (const name of files.filter((path) => /\.\w+$/.test(path)))
    digest.update(name).update(readFileSync(join(findMigrationsFolder(), name)))
  const path = join(CACHE_FOLDER, `empty-database-${digest.digest('hex').slice(0, 16)}.tar`)
  if (existsSync(path)) return path
  const client = await createPglite({})
  await migrateClient(client)
  const dump = await client.dumpDataDir('none')
  await client.close()
  await mkdir(CACHE_FOLDER, { recursive: true })
  // The file has another name until it is whole, because other tests may look for it at the same time.
  const unfinished = `${path}.${randomUUID()}`
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()))
  await rename(unfinished, path)
  return path
}
