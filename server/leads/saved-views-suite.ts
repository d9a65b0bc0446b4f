import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { makeViewer, requirePermission } from '@/server/access/viewer'
import type { Connect } from '@/server/base/database'
import { savedViews } from '@/server/base/schema'
import { addView, deleteView, listViews } from './saved-views'
import { openTestDesk, type TestDesk } from './testing/test-desk'

/** Who sees a shared view, on any database. */
export function savedViewsSuite(connect: Connect): void {
  describe('a shared view', () => {
    let desk: TestDesk
    beforeAll(async () => {
      desk = await openTestDesk({ db: await connect(), close: async () => {} })
    })
    /** A stored user; `withSchools` is the same one with other schools. */
    async function person(schools: SchoolScope, role: Role = 'staff') {
      const { id, name, email } = await desk.person(randomUUID(), role, schools)
      const withSchools = (other: SchoolScope) =>
        requirePermission(makeViewer({ id, name, email, role, schools: other }), 'leads:read')
      return { viewer: withSchools(schools), withSchools }
    }
    type Reader = Parameters<typeof listViews>[1]
    const share = async (viewer: Reader) => {
      const view = { list: 'declarations-of-interest', name: 'Ring Åsa', query: { q: 'asa' }, shared: true } as const
      return (await addView(desk.parts, viewer, view)).id
    }
    const isSeen = async (viewer: Reader, id: string) =>
      (await listViews(desk.parts, viewer)).views.some((view) => view.id === id)

    test('is there for who sees all that its owner saw when it was saved, and for nobody else', async () => {
      const id = await share((await person(['norra', 'sodra'])).viewer)
      const reader = await person('all')
      const scopes: [SchoolScope, boolean][] = [
        [['norra', 'sodra'], true],
        [['sodra', 'ostra', 'norra'], true],
        ['all', true],
        [['norra'], false],
        [['norra', 'ostra'], false],
        [[], false],
      ]
      for (const [schools, expected] of scopes) {
        const viewer = reader.withSchools(schools)
        expect(await isSeen(viewer, id), String(schools)).toBe(expected)
        const refused = await deleteView(desk.parts, viewer, { id }).catch((error: Error) => error.name)
        expect(refused, String(schools)).toBe(expected ? 'ForbiddenError' : 'NotFoundError')
      }
      const ofAll = await share(reader.viewer)
      expect(await isSeen(reader.viewer, ofAll)).toBe(true)
      expect(await isSeen((await person(['norra', 'sodra'])).viewer, ofAll)).toBe(false)
    })

    test('stays with the reach it was saved with, whatever its owner comes to see or no longer sees', async () => {
      const owner = await person(['norra'])
      const reader = await person(['norra'])
      const before = await share(owner.viewer)
      const later = await share(owner.withSchools(['norra', 'sodra']))
      expect([await isSeen(reader.viewer, before), await isSeen(reader.viewer, later)]).toEqual([true, false])
      expect(await isSeen(owner.withSchools(['norra']), later), 'its owner’s own words').toBe(true)
    })

    test('without a reach, of before 0.1.0, is its owner’s and the administrators’', async () => {
      const [owner, reader, admin] = [await person('all'), await person('all'), await person('all', 'admin')]
      const id = await share(owner.viewer)
      const db = await connect()
      await db.update(savedViews).set({ reach: null }).where(eq(savedViews.id, id))
      const seen = [owner, reader, admin].map(({ viewer }) => isSeen(viewer, id))
      expect(await Promise.all(seen)).toEqual([true, false, true])
    })
  })
}
