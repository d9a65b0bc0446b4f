import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchedIn } from '@/lib/leads/testing/lead-table-of'
import { anyQuestion, anyRecord, anyWriting } from '@/server/feed/testing/arbitrary-bodies'
import { cheapReading, outcomeOf, plainReading } from '@/server/feed/testing/reference-reading'

/** For all the runs of one test, on a busy machine. */
const TIMEOUT_MS = 90_000

const anyBody = fc.tuple(fc.array(anyRecord, { maxLength: 12 }), anyWriting).map(([records, write]) => write(records))

const PIECES = [',', ']', '}', '{', '[', '"', '\\', ':', 'NaN', '1', ' ', '\\x', ',[', '},', ',{}', '\ufeff']
const anyInserted = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 3 }),
  fc.constantFrom(...PIECES).map((text) => Buffer.from(text)),
)
/** Bytes put in the place of so many: one is another, some are missing, all from here on are, or some come in between. */
const anyChange = fc.oneof(
  fc.nat(255).map((byte) => ({ removed: 1, bytes: Uint8Array.of(byte) })),
  fc.integer({ min: 1, max: 40 }).map((removed) => ({ removed, bytes: new Uint8Array() })),
  fc.constant({ removed: Infinity, bytes: new Uint8Array() }),
  anyInserted.map((bytes) => ({ removed: 0, bytes })),
)
const anyDamage = fc.tuple(fc.nat(), anyChange).map(([where, { removed, bytes }]) => (body: Buffer): Buffer => {
  const at = where % body.length
  return Buffer.concat([body.subarray(0, at), bytes, body.subarray(at + removed)])
})

test(
  'a damaged body is broken exactly when JSON.parse says so or the list is gone; read alone or after a good one',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, anyDamage, async (body, damaged) => {
        const wrong = damaged(body)
        const expected = plainReading(wrong)
        expect(outcomeOf(await cheapReading(wrong))).toEqual(expected)
        const { list } = goodOf(await cheapReading(body))
        expect(outcomeOf(await cheapReading(wrong, list))).toEqual(expected)
      }),
      { numRuns: 1500 },
    )
  },
  TIMEOUT_MS,
)

type Change = (records: unknown[]) => unknown[]

const anyAddition = fc.array(anyQuestion, { maxLength: 3 }).map((added): Change => (records) => [...added, ...records])
const anyRemoval = fc.tuple(fc.nat(), fc.nat(3)).map(
  ([at, count]): Change =>
    (records) =>
      records.toSpliced(at % (records.length + 1), count),
)
const anyReplacement = fc.tuple(fc.nat(), fc.nat(1), anyRecord).map(
  ([at, count, record]): Change =>
    (records) =>
      records.toSpliced(at % (records.length + 1), count, record),
)
const anyMove = fc.tuple(fc.nat(), fc.nat()).map(([from, to]): Change => (records) => {
  const at = from % (records.length + 1)
  const rest = records.toSpliced(at, 3)
  return rest.toSpliced(to % (rest.length + 1), 0, ...records.slice(at, at + 3))
})
const anyEdit = fc.oneof(anyAddition, anyRemoval, anyReplacement, anyMove)

test(
  'a list is what JSON.parse makes of it, also read along its predecessor, and the changes reported lead from one to the other',
  async () => {
    const anyStory = fc.tuple(
      fc.array(anyRecord, { minLength: 1, maxLength: 12 }),
      anyWriting,
      fc.array(fc.tuple(anyEdit, fc.option(anyWriting, { freq: 6 })), { minLength: 1, maxLength: 6 }),
    )
    await fc.assert(
      fc.asyncProperty(anyStory, async ([first, firstWriting, changes]) => {
        let records: unknown[] = first
        let write = firstWriting
        let reading = goodOf(await cheapReading(write(records)))
        expect(outcomeOf(reading)).toEqual(plainReading(write(records)))
        expectChanges(reading, new Map())
        for (const [change, otherWriting] of changes) {
          records = change(records)
          write = otherWriting ?? write
          const body = write(records)
          const before = leadsById(reading)
          reading = goodOf(await cheapReading(body, reading.list))
          expect(outcomeOf(reading)).toEqual(plainReading(body))
          expect(columnsOf(reading)).toEqual(columnsOf(goodOf(await cheapReading(body))))
          expectChanges(reading, before)
        }
      }),
      { numRuns: 500 },
    )
  },
  TIMEOUT_MS,
)

type Reading = Awaited<ReturnType<typeof cheapReading>>
type GoodReading = Extract<Reading, { ok: true }>

function goodOf(reading: Reading): GoodReading {
  if (!reading.ok) throw new Error(reading.detail)
  return reading
}

function leadsById({ list: { table } }: GoodReading): Map<string, string> {
  return new Map(table.id.map((id) => [id, JSON.stringify(table.lead(table.rowOf(id)))]))
}

function expectChanges(reading: GoodReading, before: Map<string, string>): void {
  const after = leadsById(reading)
  const ids = (keys: Iterable<string>, wanted: (id: string) => boolean) => [...keys].filter(wanted).toSorted()
  expect(reading.added.toSorted()).toEqual(ids(after.keys(), (id) => !before.has(id)))
  expect(reading.removed.toSorted()).toEqual(ids(before.keys(), (id) => !after.has(id)))
  const changed = ids(after.keys(), (id) => before.has(id) && before.get(id) !== after.get(id))
  expect(reading.changedIds.toSorted()).toEqual(changed)
  const isOther = reading.added.length + reading.removed.length + changed.length > 0
  expect(reading.changed || !isOther).toBe(true)
}

function columnsOf({ list }: GoodReading) {
  const { createdAt, id, school, schoolIds, year, mode, modes, text, texts, sortName, size } = list.table
  const rows = id.map((leadId, row) => [leadId, schoolIds[school[row] ?? -1], modes[mode[row] ?? -1]])
  const searched = searchedIn({ text, texts })
  return { size, createdAt, year, searched, sortName, rows, schools: schoolIds.toSorted(), modes: modes.toSorted() }
}
