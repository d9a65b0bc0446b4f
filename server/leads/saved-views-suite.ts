import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { allow, makeViewer } from '@/server/access/viewer'
import type { Connect } from '@/server/base/database'
import { savedViews, users } from '@/server/base/schema'
import { openTestDesk, type TestDesk } from './testing/test-desk'
import { addView, deleteView, listViews } from './saved-views'

/** Who sees a shared view, on any database. */
export function savedViewsSuite(connect: Connect): void {
  describe('a shared view', () => {
    const list = 'declarations-of-interest'
    let parts: TestDesk['parts']
    beforeAll(async () => {
      parts = (await openTestDesk({ db: await connect(), close: async () => {} })).parts
    })
    /** A stored user, also with changed schools. */
    async function person(schools: SchoolScope, role: Role = 'staff') {
      const row = { id: randomUUID(), name: 'x', email: `${randomUUID()}@skola.example`, role, schools }
      const db = await connect()
      await db.insert(users).values({ ...row, createdAt: new Date() })
      const as = (other: SchoolScope) => allow(makeViewer({ ...row, schools: other }), 'leads:read')
      const moveTo = async (other: SchoolScope) => {
        await db.update(users).set({ schools: other }).where(eq(users.id, row.id))
        return as(other)
      }
      return { viewer: as(schools), as, moveTo }
    }
    const isSeen = async (viewer: Parameters<typeof listViews>[1], id: string) =>
      (await listViews(parts, viewer)).views.some((view) => view.id === id)
    const shared = { list, name: 'Ring Åsa', query: { q: 'asa' }, shared: true } as const

    test('is there for who sees all that its owner saw when it was saved, and for nobody else', async () => {
      const owner = await person(['norra', 'sodra'])
      const { id } = await addView(parts, owner.viewer, shared)
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
        expect(await isSeen(reader.as(schools), id), String(schools)).toBe(expected)
        const refused = await deleteView(parts, reader.as(schools), { id }).catch((error: Error) => error.name)
        expect(refused, String(schools)).toBe(expected ? 'ForbiddenError' : 'NotFoundError')
      }
    })

    test('by a viewer of all schools is only for viewers of all schools', async () => {
      const owner = await person('all')
      const { id } = await addView(parts, owner.viewer, shared)
      const reader = await person('all')
      expect([await isSeen(reader.viewer, id), await isSeen(reader.as(['norra', 'sodra']), id)]).toEqual([true, false])
    })

    test('stays with the reach it was saved with, whatever its owner comes to see or no longer sees', async () => {
      const owner = await person(['norra'])
      const reader = await person(['norra'])
      const { id } = await addView(parts, owner.viewer, shared)
      const more = await owner.moveTo(['norra', 'sodra'])
      expect(await isSeen(reader.viewer, id)).toBe(true)
      const { id: later } = await addView(parts, more, shared)
      expect(await isSeen(reader.viewer, later)).toBe(false)
      const less = await owner.moveTo(['norra'])
      expect(await isSeen(reader.viewer, later)).toBe(false)
      expect([await isSeen(less, id), await isSeen(less, later)], 'its owner’s own words').toEqual([true, true])
    })

    test('without a reach, of before 0.1.0, is its owner’s and the administrators’', async () => {
      const [owner, reader, admin] = [await person('all'), await person('all'), await person('all', 'admin')]
      const { id } = await addView(parts, owner.viewer, shared)
      const db = await connect()
      await db.update(savedViews).set({ reach: null }).where(eq(savedViews.id, id))
      const seen = [owner, reader, admin].map(({ viewer }) => isSeen(viewer, id))
      expect(await Promise.all(seen)).toEqual([true, false, true])
    })
  })
}
