import 'server-only'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { knownDevices } from '@/server/base/access-schema'
import type { Connect } from '@/server/base/database'
import { createUsers } from './users'
import { createKnownDevices } from './known-devices'

const DAY_MS = 24 * 3_600_000

export function knownDevicesSuite(db: Connect): void {
  describe('known devices', () => {
    const now = { ms: 0 }
    const clock = () => now.ms
    const devicesAt = (url: string) =>
      createKnownDevices({ connect: db, now: clock, env: { auth: { url, secret: 'a secret of this test' } } })
    const devices = devicesAt('https://intag.test')
    const ids: string[] = []
    const [eva, bo] = [() => ids[0] ?? '', () => ids[1] ?? '']
    const requestWith = (setCookie: string) => ({ headers: new Headers({ cookie: setCookie.split(';')[0] ?? '' }) })
    const signIn = async (userId: string, before: string | null = null) => {
      const token = devices.read(requestWith(await devices.remember(before, userId)))
      if (token === null) throw new Error('a cookie that is not read')
      return token
    }

    beforeAll(async () => {
      for (const email of ['eva@devices.test', 'bo@devices.test']) {
        const person = { email, name: 'X', role: 'staff', schools: 'all', passwordHash: null } as const
        const { id } = await createUsers({ connect: db, now: clock, demo: false }).create(await db(), person)
        ids.push(id)
      }
    })
    beforeEach(async () => {
      now.ms = Date.UTC(2027, 0, 20, 8)
      await (await db()).delete(knownDevices)
    })

    test('a browser is known to each user who has signed in from it', async () => {
      const token = await signIn(eva())
      const known = async () => [await devices.isKnown(token, eva()), await devices.isKnown(token, bo())]
      expect([...(await known()), await devices.isKnown(null, eva())]).toEqual([true, false, false])
      expect(await signIn(bo(), token)).toBe(token)
      expect(await known()).toEqual([true, true])
    })

    test('it is half a year from the last sign-in', async () => {
      const token = await signIn(eva())
      now.ms += 179 * DAY_MS
      await signIn(eva(), token)
      now.ms += 179 * DAY_MS
      expect(await devices.isKnown(token, eva())).toBe(true)
      now.ms += 2 * DAY_MS
      expect(await devices.isKnown(token, eva())).toBe(false)
    })

    test('an invented token is none, and the cookie is for this host and no script', async () => {
      const cookie = await devices.remember(null, eva())
      expect(cookie).toMatch(
        /^__Host-intag-device=[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure$/,
      )
      expect(devices.read(requestWith(`__Host-intag-device=${'x'.repeat(43)}.${'y'.repeat(43)}`))).toBeNull()
      expect(devices.read(requestWith('__Host-intag-device='))).toBeNull()
      expect(await devicesAt('http://localhost:3000').remember(null, eva())).toMatch(/^intag-device=.*SameSite=Lax$/)
    })

    test('a person has twenty at most, and the database has no token', async () => {
      const first = await signIn(eva())
      for (let made = 0; made < 20; made += 1) {
        now.ms += 1_000
        await signIn(eva())
      }
      expect(await devices.isKnown(first, eva())).toBe(false)
      const rows = await (await db()).select().from(knownDevices)
      expect(rows).toHaveLength(20)
      expect(JSON.stringify(rows)).not.toContain(first.slice(0, 43))
    })
  })
}
