import 'server-only'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { eq, inArray, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createScopes, renewedScope } from '@/server/export/export-log'
import { createSeal, type DataKeys, sealPrefix } from '@/server/seal'
import { createKeptKeys } from '@/server/settings/database-identity'
import type { Connect } from './database'
import { reseal } from './reseal'
import { exports, notes, settings } from './schema'
import { placeOf, sealedColumns } from './sealed-columns'

const OLD = new Uint8Array(32).fill(7)
const NEW = new Uint8Array(32).fill(8)
const LOST = new Uint8Array(32).fill(9)
const before = createSeal(OLD)
const after = createSeal(NEW)
const keys: DataKeys = { current: NEW, previous: OLD }
const rotated = createSeal(keys)
const rowsSchema = z.object({ rows: z.array(z.object({ name: z.string() })) })
const kind = 'declaration-of-interest' as const
const list = 'declarations-of-interest' as const

/** Changing the key, on any database. */
export function resealSuite(connect: Connect): void {
  describe('changing the key', () => {
    beforeEach(async () => {
      const db = await connect()
      for (const { table } of sealedColumns) await db.delete(table)
    })
    const run = () => reseal({ connect, dataKeys: keys, seal: rotated })
    const noteRow = (seal: typeof before, text: string, id: string = randomUUID()) => ({
      id,
      kind,
      leadId: 'l1',
      sealedText: seal.encrypt(text, placeOf.note(id)),
      createdAt: new Date(),
    })
    const textsUnder = async (seal: typeof before) => {
      const rows = await (await connect()).select().from(notes)
      return new Map(rows.map(({ id, sealedText }) => [id, seal.decrypt(sealedText, placeOf.note(id))]))
    }
    const resealed = (counts: { column: string; resealed: number }[], column: string) =>
      counts.find((one) => one.column === column)?.resealed

    test('every column of sealed texts is known', async () => {
      const found = await (
        await connect()
      ).execute(sql`
        select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and column_name like 'sealed\\_%'`)
      const names = rowsSchema.parse(found).rows.map(({ name }) => name)
      expect(names.length).toBeGreaterThan(6)
      const known = sealedColumns.map(({ name }) => name)
      expect(known.filter((name) => !['settings.value', 'reply_templates.body'].includes(name)).toSorted()).toEqual(
        names.toSorted(),
      )
    })

    test('reseals every text once, and what is already under the key not at all', async () => {
      const db = await connect()
      const rows = Array.from({ length: 450 }, (_, index) => noteRow(index % 9 === 0 ? after : before, `note ${index}`))
      await db.insert(notes).values(rows)
      const { counts, unopened, isLeftBehind } = await run()
      expect([resealed(counts, 'notes.sealed_text'), unopened, isLeftBehind]).toEqual([400, [], false])
      const texts = await textsUnder(after)
      expect(rows.map(({ id }) => texts.get(id))).toEqual(rows.map((_, index) => `note ${index}`))
      expect(resealed((await run()).counts, 'notes.sealed_text')).toBe(0)
    })

    test('says which texts neither key opens, by their ids, and leaves them as they are', async () => {
      const lost = noteRow(createSeal(LOST), 'lost')
      const misplaced = { ...noteRow(before, 'x'), id: randomUUID() }
      await (await connect()).insert(notes).values([lost, misplaced, noteRow(before, 'mine')])
      const { counts, unopened } = await run()
      expect(resealed(counts, 'notes.sealed_text')).toBe(1)
      const ids = [lost.id, misplaced.id].map((id) => `notes.sealed_text ${id}`)
      expect(unopened.toSorted()).toEqual(ids.toSorted())
      const [kept] = await (await connect()).select().from(notes).where(eq(notes.id, lost.id))
      expect(kept?.sealedText).toBe(lost.sealedText)
    })

    test('a row written between reading and writing it stays as written, and a deleted one is gone', async () => {
      const db = await connect()
      const [changed, deleted, left] = ['changed', 'deleted', 'left'].map((text) => noteRow(before, text))
      if (!changed || !deleted || !left) throw new Error('no rows')
      await db.insert(notes).values([changed, deleted, left])
      const meanwhile = async (_: unknown, id: string, text: string) => {
        const sealedText = before.encrypt('changed again', placeOf.note(id))
        if (text === 'changed') await db.update(notes).set({ sealedText }).where(eq(notes.id, id))
        if (text === 'deleted') await db.delete(notes).where(eq(notes.id, id))
        return {}
      }
      const alongside = { 'notes.sealed_text': meanwhile }
      const { counts, isLeftBehind } = await reseal({ connect, dataKeys: keys, seal: rotated, alongside })
      expect([resealed(counts, 'notes.sealed_text'), isLeftBehind]).toEqual([2, false])
      const texts = Object.fromEntries(await textsUnder(after))
      expect(texts).toEqual({ [changed.id]: 'changed again', [left.id]: 'left' })
    })

    test('“new since my last export” finds exports from before, during and after', async () => {
      const db = await connect()
      const id = randomUUID()
      const matching = { list, q: 'Åsa Öberg', year: [2027] }
      const reason = JSON.stringify({ purpose: 'Öppet hus', matching, newOnly: false })
      const target = { list, format: 'csv', matching } as const
      await db.insert(exports).values({
        id,
        at: new Date(),
        list,
        format: 'csv',
        columns: [],
        count: 1,
        state: 'finished',
        sealedReason: before.encrypt(reason, placeOf.export(id)),
        scope: createScopes({ current: OLD, previous: null }).of(target),
        leadIds: ['l1'],
      })
      const scopeNow = async () => (await db.select().from(exports).where(eq(exports.id, id)))[0]?.scope
      const scopes = createScopes(keys)
      expect(scopes.known(target)).toContain(await scopeNow())
      const alongside = {
        'exports.sealed_reason': (tx: typeof db, row: string, text: string) =>
          renewedScope(tx, scopes, { id: row, reason: text }),
      }
      await reseal({ connect, dataKeys: keys, seal: rotated, alongside })
      expect(createScopes({ current: NEW, previous: null }).known(target)).toEqual([await scopeNow()])
    })

    test('keys that must stay the same do', async () => {
      const kept = (dataKeys: DataKeys) =>
        createKeptKeys({ connect, dataKeys, seal: createSeal(dataKeys), now: Date.now }).get('card ids')
      const first = await kept({ current: OLD, previous: null })
      expect(await kept(keys)).toEqual(first)
      await run()
      expect(await kept({ current: NEW, previous: null })).toEqual(first)
      const [row] = await (await connect()).select().from(settings)
      expect(JSON.stringify(row?.value)).toContain(sealPrefix(NEW))
    })

    test('a kept key first used during the change is the one of the old DATA_KEY', async () => {
      const one = createKeptKeys({ connect, dataKeys: keys, seal: rotated, now: Date.now })
      const own = { current: OLD, previous: null }
      const made = await one.get('card ids')
      await (await connect()).delete(settings)
      expect(await createKeptKeys({ connect, dataKeys: own, seal: before, now: Date.now }).get('card ids')).toEqual(
        made,
      )
    })

    test('while people write, change and delete, nothing of it is lost', async () => {
      const db = await connect()
      const rows = Array.from({ length: 300 }, (_, index) => noteRow(before, `first ${index}`))
      await db.insert(notes).values(rows)
      const expected = new Map(rows.map(({ id }, index) => [id, `first ${index}`]))
      const ids = [...expected.keys()]
      const resealing = { isDone: false }
      const write = async (seal: typeof before, name: string, own: 0 | 1) => {
        for (let turn = 0; turn < 60 || !resealing.isDone; turn += 1) {
          const added = noteRow(seal, `${name} ${turn}`)
          await db.insert(notes).values(added)
          expected.set(added.id, `${name} ${turn}`)
          const changed = ids[((turn * 2) % 200) + own] ?? ''
          const sealedText = seal.encrypt(`${name} again ${turn}`, placeOf.note(changed))
          await db.update(notes).set({ sealedText }).where(eq(notes.id, changed))
          expected.set(changed, `${name} again ${turn}`)
          const gone = ids[200 + (turn % 50) * 2 + own] ?? ''
          await db.delete(notes).where(inArray(notes.id, [gone]))
          expected.delete(gone)
          await setImmediate()
        }
      }
      const writers = [write(rotated, 'new', 0), write(before, 'old one', 1)]
      await run()
      resealing.isDone = true
      await Promise.all(writers)
      expect(Object.fromEntries(await textsUnder(rotated))).toEqual(Object.fromEntries(expected))
      expect((await run()).isLeftBehind).toBe(false)
      expect(Object.fromEntries(await textsUnder(after))).toEqual(Object.fromEntries(expected))
    })
  })
}
