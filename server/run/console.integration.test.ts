import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { admin, installInto, runIn } from '@/scripts/testing/installed'
import { signInWorld } from '@/server/access/testing/sign-in-world'
import { openPglite } from '@/server/base/database'
import { toCommandLine } from '@/server/base/env'
import { activity, users as usersTable } from '@/server/base/schema'
import { placePglite } from '@/server/base/testing/in-memory'
import { temporaryFolder } from '@/server/testing/folder'
import { programs } from '@/server/testing/program'
import { testServices } from '@/server/testing/services'
import { connected } from '@/server/testing/settings'
import { runConsole } from './console'

describe('users', () => {
  const KEY = Symbol.for('intag.services')
  const { db, parts, actions } = signInWorld()
  const { users } = parts
  let closed = 0
  const useServices = ({ mode = 'connected', hasPasswordSignIn = true } = {}) => {
    const env = { mode, databaseUrl: null, hasPasswordSignIn, oidc: null, auth: { url: 'https://x.test' } }
    const database = { close: async () => void (closed += 1) }
    const lifecycle = { isStarting: () => true }
    Reflect.set(globalThis, KEY, testServices({ ...parts, env, database, lifecycle, mailer: null }))
  }
  beforeEach(() => useServices())
  afterAll(() => void Reflect.deleteProperty(globalThis, KEY))
  const run = (...args: string[]) => runConsole(args)
  const link = expect.stringMatching(/^https:\/\/x\.test\/invite#[\w-]{43}$/)

  test('add-admin prints a link, again for one who is there, and makes nobody an administrator who is not', async () => {
    expect(await run('add-admin', 'Boss@x.test')).toEqual({ exitCode: 0, text: link })
    const boss = await users.findByEmail('boss@x.test')
    expect(boss).toMatchObject({ role: 'admin', schools: 'all', passwordHash: null, breakGlass: false })
    await db().update(usersTable).set({ activatedAt: new Date() })
    expect((await run('add-admin', 'boss@x.test')).text).toMatch(/\/invite\?reset#[\w-]{43}$/)
    await run('invite', 'eva@x.test')
    expect(await run('add-admin', 'eva@x.test')).toEqual({ exitCode: 1, text: 'eva@x.test already exists: staff.' })
    expect(await actions()).toEqual(['user-created', 'reset-link-issued', 'user-created'])
    expect(closed, 'nothing is left open').toBe(4)
  })

  test('with PASSWORD_SIGN_IN=off add-admin allows a password, until the administrator is disabled', async () => {
    useServices({ hasPasswordSignIn: false })
    expect(await run('add-admin', 'boss@x.test')).toEqual({ exitCode: 0, text: link })
    const boss = await users.findByEmail('boss@x.test')
    expect(boss?.breakGlass).toBe(true)
    expect(await actions()).toEqual(['user-created', 'break-glass-changed'])
    expect(await users.change(db(), boss?.id ?? '', { disabled: true })).toMatchObject({ breakGlass: false })
  })

  test('invite gives role and schools, and reset-link prints a new link', async () => {
    const answer = await run('invite', 'eva@x.test', '--name', 'Eva', '--role', 'manager', '--schools', 's1, s2')
    expect(answer).toEqual({ exitCode: 0, text: link })
    expect(await users.findByEmail('eva@x.test')).toMatchObject({ name: 'Eva', role: 'manager', schools: ['s1', 's2'] })
    expect(await run('reset-link', 'eva@x.test')).toEqual({ exitCode: 0, text: link })
  })

  test('unlink lets one or all be found by email again', async () => {
    await run('add-admin', 'boss@x.test')
    for (const who of ['Boss@x.test', '--all']) {
      await db().update(usersTable).set({ issuer: 'https://id.test', subject: 'boss' })
      expect((await run('unlink', who)).exitCode).toBe(0)
      expect(await users.findByEmail('boss@x.test')).toMatchObject({ issuer: null, subject: null })
    }
  })

  test.each(['reset-link', 'unlink'])('%s names who is not there', async (name) => {
    expect(await run(name, 'x@x.test')).toEqual({ exitCode: 1, text: 'Nobody has the address "x@x.test".' })
  })

  const WRONG = ['no-such-command', 'add-admin', 'add-admin eva', 'invite eva@x.test --role boss', 'doctor --yes']
  test.each([...WRONG, 'unlink', 'unlink eva@x.test ali@x.test'])(
    '%s is no call, and nothing happens',
    async (call) => {
      expect(await run(...call.split(' '))).toEqual({
        exitCode: 2,
        text: expect.stringContaining(toCommandLine('admin')),
      })
      expect(await actions()).toEqual([])
    },
  )

  test('nothing is done to the database of the other mode', async () => {
    await run('add-admin', 'boss@x.test')
    useServices({ mode: 'demo' })
    expect((await run('unlink', '--all')).text).toMatch(/DATA_DIR holds the data of a real service/)
    expect(await actions()).toEqual(['user-created'])
  })
})

const INTAG = `
  import { buildServices } from './server/run/services.ts'
  import { claimDatabase } from './server/run/database-identity.ts'
  import { runConsole } from './server/run/console.ts'
  import { listenForCommands } from './server/run/console-socket.ts'
  const parts = buildServices()
  await claimDatabase(parts)
  parts.lifecycle.markUp()
  listenForCommands(parts, runConsole).on('listening', () => console.log('up'))
  setInterval(() => {}, 1000)`
const NOBODY = 65_534
const isRoot = process.geteuid?.() === 0

describe('beside an Intag that has PGlite open', { timeout: 120_000 }, () => {
  const above = temporaryFolder()
  const code = join(above, 'code')
  const dataDir = join(above, 'data')
  const socket = join(dataDir, 'console.sock')
  const settings = {
    ...connected,
    DATA_DIR: dataDir,
    LEADS_API_URL: 'http://127.0.0.1:1',
    LOG_LEVEL: 'silent',
  }
  beforeAll(async () => {
    installInto(code)
    await placePglite(dataDir)
  })
  const program = programs()
  const startIntag = async () => {
    const running = program(INTAG, { env: { ...process.env, ...settings } })
    await running.nextLine()
    return running
  }
  const run = (args: string[], more = {}, options = {}) =>
    runIn(code, admin(...args), { ...settings, ...more }, options)
  const refused = (says: string | RegExp) => ({ status: 1, text: expect.stringMatching(says) })

  test('commands do what they do beside PostgreSQL, by a socket of the owner’s alone', async () => {
    expect(run(['add-admin', 'ada@skola.se'])).toEqual({ status: 0, text: expect.stringContaining('/invite#') })
    await startIntag()
    expect([socket, dataDir].map((path) => fs.statSync(path).mode & 0o777)).toEqual([0o600, 0o700])
    expect(run(['add-admin', 'eva@skola.se'])).toEqual({ status: 0, text: expect.stringContaining('/invite#') })
    expect(run(['unlink', 'x@skola.se'])).toEqual(refused(/^Nobody has the address "x@skola.se".\n$/))
    expect(run(['doctor']).text).toMatch(/^ok +database +answers, .*\nwrong +service .*ECONNREFUSED/)
  })

  test('a backup goes to a file or standard output, and comes back from there once Intag is stopped', async () => {
    const running = await startIntag()
    const [file, other] = [join(above, 'one $&.backup'), join(above, 'two.backup')]
    expect(run(['backup', file])).toEqual({ status: 0, text: expect.stringContaining(`${file} is whole: `) })
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    expect(run(['backup', file])).toEqual(refused('already'))
    expect(run(['backup', other], { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' })).toEqual(refused('pg_dump'))
    const piped = run(['backup', '-'], {}, { stdio: ['ignore', fs.openSync(other, 'w'), 'pipe'] })
    expect(piped.text).toMatch(/The backup is whole/)
    // Where `npm run` writes first what it runs.
    const input = Buffer.concat([Buffer.from('\n> intag@0.4.0 admin\n\n'), fs.readFileSync(other)])
    expect(run(['restore', '-', '--replace'], {}, { input })).toEqual(refused('Stop Intag'))
    await running.kill()
    expect(run(['restore', other, '--replace'], { DATA_KEY: randomBytes(32).toString('base64') })).toEqual(
      refused('DATA_KEY is not the key'),
    )
    const restored = run(['restore', '-', '--replace'], {}, { input })
    expect(restored).toEqual({ status: 0, text: expect.stringMatching(/^The backup is restored.*pg\.before-/s) })
    const { db, close } = await openPglite(dataDir)
    const actions = (await db.select().from(activity)).map(({ action }) => action)
    expect(actions.slice(-2)).toEqual(['backup-made', 'backup-restored'])
    await close()
  })

  test.runIf(isRoot)('what root’s console makes in another user’s folder is that user’s', () => {
    const paths = () => [
      dataDir,
      ...fs.readdirSync(dataDir, { recursive: true }).map((path) => join(dataDir, `${path}`)),
    ]
    for (const path of paths()) fs.lchownSync(path, NOBODY, NOBODY)
    expect(run(['add-admin', 'bo@skola.se']).status).toBe(0)
    expect(run(['doctor']).text).toContain('tables of this release')
    expect(new Set(paths().map((path) => fs.lstatSync(path).uid))).toEqual(new Set([NOBODY]))
  })
})
