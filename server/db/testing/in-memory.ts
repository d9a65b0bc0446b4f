import 'server-only'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, openAsBlob, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPglite, migrated, migrationsFolder, type OpenDatabase } from '@/server/db/database'

/** A database of a test's own, with all tables and nothing in them, in memory. */
export async function openPgliteInMemory(): Promise<OpenDatabase> {
  const made = emptyDatabase()
  if (!existsSync(made)) await keep(made)
  return migrated(await createPglite({ loadDataDir: await openAsBlob(made) }), async () => {})
}

const CACHE = 'node_modules/.cache/intag'

/** Making a database takes three seconds of a processor and loading one half a second, so there is one for each set of migrations. */
function emptyDatabase(): string {
  const digest = createHash('sha256').update(readFileSync('package-lock.json'))
  for (const { name, parentPath } of readdirSync(migrationsFolder(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    digest.update(name).update(readFileSync(join(parentPath, name)))
  }
  return join(CACHE, `empty-database-${digest.digest('hex').slice(0, 16)}.tar`)
}

/** Under another name until it is whole: other tests may look for it at the same time. */
async function keep(place: string): Promise<void> {
  const client = await createPglite({})
  await migrated(client, async () => {})
  const dump = await client.dumpDataDir('none')
  await client.close()
  await mkdir(CACHE, { recursive: true })
  const unfinished = `${place}.${randomUUID()}`
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()))
  await rename(unfinished, place)
}
