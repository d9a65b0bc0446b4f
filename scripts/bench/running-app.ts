import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Handle } from '@/reference-service/http-server'
import { addPeople, createApp, type Member } from '@/scripts/testing/running-app'
import { startService, TOKEN } from '@/scripts/testing/service'
import { createOwnDatabase } from '@/server/base/testing/own-database'

export const TIER = 'XL'
export const DATABASE = process.env.TEST_DATABASE_URL ? 'PostgreSQL' : 'PGlite'

export type World = Awaited<ReturnType<typeof startWorld>>

/** Runs `work` with the built app, users and the service, on PGlite or a new database of TEST_DATABASE_URL. */
export async function withApp<T>(
  members: readonly Member[],
  work: (world: World) => Promise<T>,
  wrapper = (handle: Handle) => handle,
): Promise<T> {
  const world = await startWorld(members, wrapper)
  return work(world).finally(world.stop)
}

async function startWorld(members: readonly Member[], wrapper: (handle: Handle) => Handle) {
  const folder = await mkdtemp(join(tmpdir(), 'intag-bench-'))
  const service = await startService({ tier: TIER, wrappers: [wrapper] })
  const database = DATABASE === 'PostgreSQL' ? await createOwnDatabase() : null
  const secret = randomBytes(32).toString('hex')
  const app = await createApp('app', folder, {
    DATABASE_URL: database?.url ?? '',
    LEADS_API_URL: service.urls[0] ?? '',
    LEADS_API_TOKEN: TOKEN,
    NEXTAUTH_SECRET: secret,
    DATA_KEY: randomBytes(32).toString('base64'),
  })
  const cookies = await addPeople(database ?? { folder: app.dataDir }, { url: app.origin, secret }, members)
  await app.start()
  return {
    app,
    service,
    cookies,
    async stop() {
      await app.end('SIGTERM')
      await service.close()
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
