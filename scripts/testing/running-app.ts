import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Role, SchoolScope } from '@/lib/contract/user'
import packageJson from '@/package.json'
import { serializeSessionCookie } from '@/server/access/session-cookie'
import { sessions } from '@/server/base/access-schema'
import { openPglite, openPostgres } from '@/server/base/database'
import { users } from '@/server/base/schema'
import { freePort } from './free-port'
import { createMachine, type Machine } from './machine'

const { NODE_OPTIONS: _, ...inherited } = process.env
const [, , ...args] = packageJson.scripts.start.split(' ')

type RunningApp = Machine & { port: number; origin: string; dataDir: string }

/** Creates an instance of the built app, which runs as by `npm start`. */
export async function createApp(name: string, folder: string, settings: Record<string, string>): Promise<RunningApp> {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const dataDir = join(folder, name)
  mkdirSync(dataDir)
  const options = { env: { ...inherited, PORT: String(port), DATA_DIR: dataDir, NEXTAUTH_URL: origin, ...settings } }
  const isReady = () =>
    fetch(`${origin}/api/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  const machine = createMachine({ name, folder, command: process.execPath, args, options, isReady })
  return { ...machine, port, origin, dataDir }
}

export type Member = { role: Role; schools: SchoolScope }

/** Adds users to a database that no app has open, and returns their cookies. PGlite is named by its folder. */
export async function addPeople(
  database: { url: string } | { folder: string },
  auth: { url: string; secret: string },
  members: readonly Member[],
): Promise<string[]> {
  const opened = 'url' in database ? openPostgres(database.url) : openPglite(database.folder)
  const { db, close } = await opened
  const now = new Date()
  const people = members.map((member, index) => {
    const [id, email] = [`person-${index}`, `person-${index}@skola.example`]
    return { id, email, name: `Person ${index}`, ...member, activatedAt: now, createdAt: now }
  })
  const session = { createdAt: now, lastUsedAt: now, provedAt: now, method: 'password', device: 'test' } as const
  await db.insert(users).values(people)
  await db.insert(sessions).values(people.map(({ id }) => ({ id, userId: id, address: '127.0.0.1', ...session })))
  await close()
  const cookies = people.map(({ id }) => serializeSessionCookie({ userId: id, id }, { auth }))
  return (await Promise.all(cookies)).map((cookie) => cookie.slice(0, cookie.indexOf(';')))
}
